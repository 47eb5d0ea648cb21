module.exports = requireNative('fastify');
