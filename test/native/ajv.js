module.exports = requireNative('ajv');
