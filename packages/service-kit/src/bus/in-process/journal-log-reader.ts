import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { BusContext } from '../bus-base.ts';
import type { LogReader } from '../message-bus.ts';
import type { FactRow, Journal } from './journal.ts';
import { toLogPosition, resolvePosition } from '../log-position.ts';
import { readFact } from '../decode-message.ts';

interface JournalLogReaderOptions extends BusContext {
  readonly journal: Journal;
  readonly reader: LogReader;
}

const PAGE_SIZE = 32;

export class JournalLogReader {
  readonly #options: JournalLogReaderOptions;
  readonly #done: Promise<void>;
  #after: number;
  #stopped = false;
  #woken = Promise.withResolvers<undefined>();

  constructor(options: JournalLogReaderOptions) {
    this.#options = options;
    const { journal, reader } = options;
    const { after, reset } = resolvePosition(reader.from, journal.logId, journal.logBounds());
    this.#after = after;
    this.#done = this.#run(reset).catch((error: unknown) => {
      this.#stopped = true;
      reader.onFault(error);
    });
  }

  onPublished(): void {
    this.#woken.resolve(undefined);
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.#woken.resolve(undefined);
    await this.#done;
  }

  async #run(reset: boolean): Promise<void> {
    const { journal, reader } = this.#options;
    await Promise.resolve();
    if (reset) await reader.onReset?.();
    while (!this.#stopped) {
      const facts = journal.factsAfter(this.#after, PAGE_SIZE);
      if (facts.length === 0) {
        this.#woken = Promise.withResolvers();
        reader.onCaughtUp?.();
        await this.#woken.promise;
        continue;
      }
      await this.#deliver(facts);
      // A long log must not block requests and timers.
      await yieldToEventLoop();
    }
  }

  async #deliver(facts: readonly FactRow[]): Promise<void> {
    const { journal, reader, origin, hooks } = this.#options;
    for (const { offset, body } of facts) {
      if (this.#stopped) return;
      // Offsets have no gaps: retention overtook a slow reader.
      if (offset !== this.#after + 1) await reader.onReset?.();
      const message = readFact(body, reader, { origin, hooks });
      if (message !== undefined) await reader.onEntry({ position: toLogPosition(journal.logId, offset), message });
      this.#after = offset;
    }
  }
}
