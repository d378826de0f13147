import { openStack, stackStage, type StackOptions, type StackStage } from './stack-stage.ts';
import { openStandalone } from './standalone-stage.ts';
import type { Stage } from './stage.ts';

/** Starts the systems that drills run on, each once and on first use. */
export class Stages {
  readonly #running: readonly string[] | undefined;
  readonly #options: StackOptions;
  #stack: Promise<StackStage> | undefined;
  #standalone: Promise<Stage> | undefined;

  /**
   * @param running compose arguments of a running stack; undefined: a stack is started
   */
  constructor(running: readonly string[] | undefined, options: StackOptions = {}) {
    this.#running = running;
    this.#options = options;
  }

  stack(): Promise<StackStage> {
    return (this.#stack ??= this.#running === undefined ? openStack(this.#options) : stackStage(this.#running));
  }

  standalone(): Promise<Stage> {
    return (this.#standalone ??= openStandalone());
  }

  async close(): Promise<void> {
    for (const stage of [this.#stack, this.#standalone]) {
      const opened = await stage?.catch(() => undefined);
      await opened?.close();
    }
  }
}
