import { get } from 'node:http';

interface CapturedResponse {
  /** Alternating names and values, in the received order. */
  headers: string[];
  /** Base64. */
  body: string;
}

/** Headers that each server sets itself. */
const HOP_HEADERS = new Set(['date', 'connection', 'keep-alive', 'server']);

/** Sends one request and returns the response without hop-by-hop headers. */
export function captureResponse(
  port: number,
  path: string,
  headers: Readonly<Record<string, string>>,
): Promise<CapturedResponse> {
  return new Promise((resolve, reject) => {
    get({ host: '127.0.0.1', port, path, headers }, (res) => {
      const chunks: Buffer[] = [];
      res.on('data', (chunk: Buffer) => chunks.push(chunk));
      res.on('error', reject);
      res.on('end', () => {
        const endToEndHeaders = res.rawHeaders.flatMap((name, at, all) => {
          return at % 2 === 0 && !HOP_HEADERS.has(name.toLowerCase()) ? [name, all[at + 1] ?? ''] : [];
        });
        resolve({
          headers: endToEndHeaders,
          body: Buffer.concat(chunks).toString('base64'),
        });
      });
    }).on('error', reject);
  });
}

export function headerOf({ headers }: CapturedResponse, name: string): string | undefined {
  const at = headers.findIndex(
    (headerName, index) => index % 2 === 0 && headerName.toLowerCase() === name.toLowerCase(),
  );
  return at === -1 ? undefined : headers[at + 1];
}
