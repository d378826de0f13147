import { get } from 'node:http';
import { startProgram, type BenchProcess } from './bench-process.ts';

export interface PrebuiltResponse {
  status: number;
  /** Alternating names and values, in the received order. */
  headers: string[];
  /** Base64. */
  body: string;
}

/** Requests the port, or sets the response to all requests. */
export interface BareCommand {
  answer?: PrebuiltResponse;
}

/** node:http and nothing else: the upper bound for JavaScript. */
export interface BareServer {
  readonly pid: number;
  readonly port: number;
  setResponse(answer: PrebuiltResponse): Promise<void>;
}

/** Runs on the core of the server until the stack is disposed. */
export async function startBareServer(stack: AsyncDisposableStack): Promise<BareServer> {
  const program: BenchProcess = startProgram('bare-server-main.ts', 'server', stack);
  const port = (await program.request({} satisfies BareCommand)) as number;
  return {
    pid: program.pid,
    port,
    setResponse: async (answer) => {
      await program.request({ answer } satisfies BareCommand);
    },
  };
}

/** Headers that each server sets itself. */
const HOP_HEADERS = new Set(['date', 'connection', 'keep-alive', 'server']);

/** Sends one request and returns the response without hop-by-hop headers. */
export function captureResponse(
  port: number,
  path: string,
  headers: Readonly<Record<string, string>>,
): Promise<PrebuiltResponse> {
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
          status: res.statusCode ?? 0,
          headers: endToEndHeaders,
          body: Buffer.concat(chunks).toString('base64'),
        });
      });
    }).on('error', reject);
  });
}

export function headerOf({ headers }: PrebuiltResponse, name: string): string | undefined {
  const at = headers.findIndex(
    (headerName, index) => index % 2 === 0 && headerName.toLowerCase() === name.toLowerCase(),
  );
  return at === -1 ? undefined : headers[at + 1];
}
