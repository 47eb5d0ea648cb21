module.exports = requireNative('fast-check');
