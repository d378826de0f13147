import { spawn, type ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';

/** A response inside the stack network. */
export interface InsideResponse {
  /** 0: no response. */
  readonly status: number;
  readonly text: string;
}

/** Fetches each URL from standard input and prints the response as a JSON line. */
const PROGRAM = `
  require('node:readline').createInterface({ input: process.stdin }).on('line', async (url) => {
    let answer = { status: 0, text: '' };
    try {
      const got = await fetch(url, { signal: AbortSignal.timeout(5000), headers: { connection: 'close' } });
      answer = { status: got.status, text: await got.text() };
    } catch {}
    console.log(JSON.stringify({ url, ...answer }));
  });
`;

/** Sends requests from inside the stack network, from a container that no drill stops. */
export class InsideClient {
  readonly #args: readonly string[];
  #process: ChildProcess | undefined;
  readonly #waiting = new Map<string, ((answer: InsideResponse) => void)[]>();

  /** @param project arguments before every compose command of the stack */
  constructor(project: readonly string[]) {
    this.#args = [...project, 'exec', '-T', 'simulator', 'node', '-e', PROGRAM];
  }

  fetch(url: string): Promise<InsideResponse> {
    const process = (this.#process ??= this.#start());
    return new Promise((resolve) => {
      this.#waiting.set(url, [...(this.#waiting.get(url) ?? []), resolve]);
      process.stdin?.write(`${url}\n`);
    });
  }

  close(): void {
    this.#process?.kill();
  }

  #start(): ChildProcess {
    const process = spawn('docker', this.#args, { stdio: ['pipe', 'pipe', 'ignore'] });
    process.stdin.on('error', () => undefined);
    createInterface({ input: process.stdout }).on('line', (line) => {
      const { url, ...answer } = JSON.parse(line) as InsideResponse & { url: string };
      this.#waiting.get(url)?.shift()?.(answer);
    });
    process.once('exit', () => {
      this.#process = undefined;
      for (const resolve of [...this.#waiting.values()].flat()) resolve({ status: 0, text: '' });
      this.#waiting.clear();
    });
    return process;
  }
}
