import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { BusContext } from '../bus-base.ts';
import type { LogReader } from '../message-bus.ts';
import type { FactRow, Journal } from './journal.ts';
import { toLogPosition, resolvePosition } from '../log-position.ts';
import { readFact } from '../decode-message.ts';

interface JournalLogReaderOptions extends BusContext {
  readonly journal: Journal;
  readonly reader: LogReader;
  /** Wakes each reader that waits for the next fact. */
  readonly waiting: Set<(woken: undefined) => void>;
}

const PAGE_SIZE = 32;

export class JournalLogReader {
  readonly #options: JournalLogReaderOptions;
  readonly #done: Promise<void>;
  #after: number;
  #stopped = false;
  #wake: ((woken: undefined) => void) | undefined;

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

  async stop(): Promise<void> {
    this.#stopped = true;
    this.#wake?.(undefined);
    await this.#done;
  }

  async #run(reset: boolean): Promise<void> {
    const { journal, reader, waiting, origin, hooks } = this.#options;
    let page: FactRow[] = [];
    await Promise.resolve();
    if (reset) await reader.onReset?.();
    while (!this.#stopped) {
      const fact = page.shift();
      if (fact === undefined) {
        page = journal.factsAfter(this.#after, PAGE_SIZE);
        if (page.length > 0) continue;
        const woken = Promise.withResolvers<undefined>();
        this.#wake = woken.resolve;
        waiting.add(woken.resolve);
        reader.onCaughtUp?.();
        await woken.promise;
        waiting.delete(woken.resolve);
        continue;
      }
      const { offset, body } = fact;
      // Offsets have no gaps: retention overtook a slow reader.
      if (offset !== this.#after + 1) await reader.onReset?.();
      const message = readFact(body, reader, { origin, hooks });
      if (message !== undefined) await reader.onEntry({ position: toLogPosition(journal.logId, offset), message });
      this.#after = offset;
      // A long log must not block requests and timers.
      if (page.length === 0) await yieldToEventLoop();
    }
  }
}
