module.exports = requireNative('selfsigned');
