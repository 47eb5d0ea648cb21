module.exports = requireNative('@fastify/formbody');
