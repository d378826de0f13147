import { request, type IncomingHttpHeaders, type OutgoingHttpHeaders } from 'node:http';
import { connect } from 'node:net';
import { expectOnContract } from '@lobbystats/test-kit';

/** What came back: as text, and read where it is JSON. */
export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  readonly body: unknown;
}

export interface AskOptions {
  method?: string;
  headers?: OutgoingHttpHeaders;
  body?: string | Buffer;
}

/**
 * Asks over a connection of its own. The path goes out as it is, where `fetch` would resolve `..` in it.
 *
 * @throws Error where an operation answers off its contract
 */
export async function ask(
  url: string,
  path: string,
  { method = 'GET', headers = {}, body: sent }: AskOptions = {},
): Promise<Answer> {
  const { hostname, port } = new URL(url);
  const answer = await new Promise<Answer>((resolve, reject) => {
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
  const { status, headers: received, text } = answer;
  const header = (name: string) => received[name]?.toString() ?? null;
  if (received['content-encoding'] === undefined) expectOnContract({ method, url: path, status, text, header });
  return answer;
}

/** Sends bytes as they are; gives all that comes back until the other side hangs up. */
export function askRaw(url: string, text: string): Promise<string> {
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
