module.exports = requireNative('zod/v4');
