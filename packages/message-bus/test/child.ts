import { spawn, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

/** A fixture that runs in a process of its own, and the lines that it has said. */
export class Child {
  readonly #process: ChildProcess;
  readonly lines: string[] = [];
  readonly #ended: Promise<string>;
  #onLine: () => void = () => undefined;

  constructor(fixture: string, ...args: string[]) {
    this.#process = spawn(process.execPath, [join(import.meta.dirname, 'fixtures', fixture), ...args], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let errors = '';
    this.#process.stderr?.on('data', (data: Buffer) => {
      errors += data.toString();
    });
    createInterface({ input: this.#process.stdout! }).on('line', (line) => {
      this.lines.push(line);
      this.#onLine();
    });
    this.#ended = new Promise((resolve) => {
      this.#process.on('close', () => {
        resolve(errors);
        this.#onLine();
      });
    });
  }

  /** Resolves when it has said so many lines; rejects with its errors when it ends before. */
  async says(count: number): Promise<readonly string[]> {
    const enough = new Promise<boolean>((resolve) => {
      this.#onLine = () => {
        if (this.lines.length >= count) resolve(true);
      };
      this.#onLine();
    });
    const errors = await Promise.race([enough, this.#ended]);
    if (typeof errors === 'string') throw new Error(`The fixture ended: ${errors}`);
    return this.lines;
  }

  /** Resolves with all that it said when it has ended by itself. */
  async ends(): Promise<readonly string[]> {
    await this.#ended;
    return this.lines;
  }

  /** SIGKILL. Resolves with all that it said. */
  async kill(): Promise<readonly string[]> {
    this.#process.kill('SIGKILL');
    await this.#ended;
    return this.lines;
  }

  get pid(): number | undefined {
    return this.#process.pid;
  }
}
