module.exports = requireNative('n8n-workflow');
