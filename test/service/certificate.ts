import { generate } from 'selfsigned';

/** A self-signed certificate for 127.0.0.1 and its key, both as PEM. */
export async function makeCertificate(): Promise<{ key: string; cert: string }> {
	const { private: key, cert } = await generate([{ name: 'commonName', value: '127.0.0.1' }], {
		keyType: 'ec',
		extensions: [{ name: 'subjectAltName', altNames: [{ type: 7, ip: '127.0.0.1' }] }],
	});
	return { key, cert };
}
