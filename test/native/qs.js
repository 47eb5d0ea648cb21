module.exports = requireNative('qs');
