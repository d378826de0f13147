import { spawn, type ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';

/** What a service says to those who are inside. */
export interface InsideAnswer {
  /** 0: nothing came. */
  readonly status: number;
  readonly text: string;
}

/** Asks for each URL that stands in a line, and prints the answer in a line. */
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

/** A process on the inside of a stack, in a container that no drill ends: it asks where nobody outside may. */
export class InsideDoor {
  readonly #args: readonly string[];
  #process: ChildProcess | undefined;
  readonly #waiting = new Map<string, ((answer: InsideAnswer) => void)[]>();

  /** @param project what stands before every command of the stack */
  constructor(project: readonly string[]) {
    this.#args = [...project, 'exec', '-T', 'simulator', 'node', '-e', PROGRAM];
  }

  ask(url: string): Promise<InsideAnswer> {
    const process = (this.#process ??= this.#begin());
    return new Promise((resolve) => {
      this.#waiting.set(url, [...(this.#waiting.get(url) ?? []), resolve]);
      process.stdin?.write(`${url}\n`);
    });
  }

  close(): void {
    this.#process?.kill();
  }

  #begin(): ChildProcess {
    const process = spawn('docker', this.#args, { stdio: ['pipe', 'pipe', 'ignore'] });
    process.stdin.on('error', () => undefined);
    createInterface({ input: process.stdout }).on('line', (line) => {
      const { url, ...answer } = JSON.parse(line) as InsideAnswer & { url: string };
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
