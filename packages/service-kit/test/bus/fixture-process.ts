import { spawn, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

/** A fixture in its own process, with its output lines. */
export class FixtureProcess {
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

  /** Resolves after `count` lines; rejects with its errors when it exits before. */
  async waitForLines(count: number): Promise<readonly string[]> {
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

  /** Resolves with all lines when it has exited by itself. */
  async waitForExit(): Promise<readonly string[]> {
    await this.#ended;
    return this.lines;
  }

  /** SIGKILL. Resolves with all lines. */
  async kill(): Promise<readonly string[]> {
    this.#process.kill('SIGKILL');
    await this.#ended;
    return this.lines;
  }

  get pid(): number | undefined {
    return this.#process.pid;
  }
}
