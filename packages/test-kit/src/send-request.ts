import { request, type IncomingHttpHeaders, type OutgoingHttpHeaders } from 'node:http';
import { connect } from 'node:net';
import { expectValidResponse } from './contract-violations.ts';

/** A response: as text, and parsed if it is JSON. */
export interface TestResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  readonly body: unknown;
}

export interface TestRequestOptions {
  method?: string;
  headers?: OutgoingHttpHeaders;
  body?: string | Buffer;
}

/**
 * Sends a request over a new connection. The path is sent unchanged; `fetch` would resolve `..` in it.
 *
 * @throws Error when the response of an operation violates its contract
 */
export async function sendRequest(
  url: string,
  path: string,
  { method = 'GET', headers = {}, body: sent }: TestRequestOptions = {},
): Promise<TestResponse> {
  const { hostname, port } = new URL(url);
  const response = await new Promise<TestResponse>((resolve, reject) => {
    const req = request({ hostname, port, path, method, headers, agent: false }, (res) => {
      const chunks: Buffer[] = [];
      res.on('data', (chunk: Buffer) => chunks.push(chunk));
      res.on('error', reject);
      res.on('end', () => {
        const text = Buffer.concat(chunks).toString('utf8');
        const isJson = /^application\/json\b/.test(res.headers['content-type'] ?? '') && text !== '';
        const body: unknown = isJson ? JSON.parse(text) : undefined;
        resolve({ status: res.statusCode ?? 0, headers: res.headers, text, body });
      });
    });
    req.on('error', reject);
    req.end(sent);
  });
  const { status, headers: received, text } = response;
  const header = (name: string) => received[name]?.toString() ?? null;
  if (received['content-encoding'] === undefined) expectValidResponse({ method, url: path, status, text, header });
  return response;
}

/** Sends raw bytes. Resolves to everything received until the peer closes the connection. */
export function sendRaw(url: string, text: string): Promise<string> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => socket.write(text, 'latin1'));
    let received = '';
    socket.setEncoding('latin1');
    socket.on('data', (chunk: string) => {
      received += chunk;
    });
    socket.on('error', reject);
    socket.on('close', () => {
      resolve(received);
    });
  });
}
