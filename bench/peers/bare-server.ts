import { get } from 'node:http';
import { startProgram, type OwnProcess } from './own-process.ts';

/** An answer to its last byte. */
export interface PrebuiltAnswer {
  status: number;
  /** Names and values in turn, as they came. */
  headers: string[];
  /** Base64. */
  body: string;
}

/** Where it listens, or the answer that it gives from now on, whatever it is asked. */
export interface BareCommand {
  answer?: PrebuiltAnswer;
}

/** node:http and nothing else: the fastest that an answer can be sent from JavaScript. */
export interface BareServer {
  readonly pid: number;
  readonly port: number;
  answerWith(answer: PrebuiltAnswer): Promise<void>;
}

/** Starts it on the server's core; it ends with the stack. */
export async function startBareServer(stack: AsyncDisposableStack): Promise<BareServer> {
  const program: OwnProcess = startProgram('bare-server-main.ts', 'server', stack);
  const port = (await program.ask({} satisfies BareCommand)) as number;
  return {
    pid: program.pid,
    port,
    answerWith: async (answer) => {
      await program.ask({ answer } satisfies BareCommand);
    },
  };
}

/** Those that every server makes itself. */
const HOP_HEADERS = new Set(['date', 'connection', 'keep-alive', 'server']);

/** Asks once, and gives the answer as it came, but for the headers that are the connection's. */
export function captureAnswer(
  port: number,
  path: string,
  headers: Readonly<Record<string, string>>,
): Promise<PrebuiltAnswer> {
  return new Promise((resolve, reject) => {
    get({ host: '127.0.0.1', port, path, headers }, (res) => {
      const chunks: Buffer[] = [];
      res.on('data', (chunk: Buffer) => chunks.push(chunk));
      res.on('error', reject);
      res.on('end', () => {
        const kept = res.rawHeaders.flatMap((name, at, all) => {
          return at % 2 === 0 && !HOP_HEADERS.has(name.toLowerCase()) ? [name, all[at + 1] ?? ''] : [];
        });
        resolve({ status: res.statusCode ?? 0, headers: kept, body: Buffer.concat(chunks).toString('base64') });
      });
    }).on('error', reject);
  });
}

/** A header of an answer; undefined where it has none. */
export function headerOf({ headers }: PrebuiltAnswer, name: string): string | undefined {
  const at = headers.findIndex((given, index) => index % 2 === 0 && given.toLowerCase() === name.toLowerCase());
  return at === -1 ? undefined : headers[at + 1];
}
