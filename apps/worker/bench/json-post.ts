import { Agent, request } from 'node:http';

/** One kept connection, as a browser has: what `fetch` does in this process besides is not the product's time. */
const agent = new Agent({ keepAlive: true, maxSockets: 16 });

export function postJson<T>(url: string, token: string, body: unknown): Promise<{ status: number; body: T }> {
  const text = JSON.stringify(body);
  const headers = {
    authorization: `Bearer ${token}`,
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(text),
  };
  return new Promise((resolve, reject) => {
    const sending = request(url, { method: 'POST', agent, headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.once('end', () =>
        resolve({ status: response.statusCode ?? 0, body: JSON.parse(Buffer.concat(chunks).toString('utf8')) as T }),
      );
      response.once('error', reject);
    });
    sending.once('error', reject);
    sending.end(text);
  });
}
