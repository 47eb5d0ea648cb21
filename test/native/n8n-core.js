module.exports = requireNative('n8n-core');
