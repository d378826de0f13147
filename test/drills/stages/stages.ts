import { openStack, stackStage, type StackStage } from './stack-stage.ts';
import { openStandalone } from './standalone-stage.ts';
import type { Stage } from './stage.ts';

/** Brings up what drills are run on, each once, when the first of them asks for it. */
export class Stages {
  readonly #running: readonly string[] | undefined;
  readonly #isKept: boolean;
  #stack: Promise<StackStage> | undefined;
  #standalone: Promise<Stage> | undefined;

  /**
   * @param running what stands before every command of a stack that is up already; else one is brought up
   * @param isKept whether one that is brought up stays when the stages are closed
   */
  constructor(running: readonly string[] | undefined, isKept = false) {
    this.#running = running;
    this.#isKept = isKept;
  }

  stack(): Promise<StackStage> {
    return (this.#stack ??= this.#running === undefined ? openStack(this.#isKept) : stackStage(this.#running));
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
