module.exports = requireNative('yaml');
