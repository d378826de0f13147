import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDeadLetterStore } from '../../src/bus/index.ts';
import { noHooks } from '../../src/bus/bus-hooks.ts';
import { JournalDeadLetterStore } from '../../src/bus/in-process/journal-dead-letter-store.ts';
import { InProcessBus } from '../../src/bus/in-process/in-process-bus.ts';
import { openJournal, parseJournalUrl } from '../../src/bus/in-process/open-journal.ts';
import type { Journal } from '../../src/bus/in-process/journal.ts';
import type { BusFixture, FixtureOptions } from './bus-fixture.ts';
import { ORIGIN } from './samples.ts';

interface OpenBus {
  bus: InProcessBus;
  journal: Journal;
}

/** An in-process bus, with access to its internals for its own tests. */
export class JournalBusFixture implements BusFixture {
  readonly url: string;
  readonly liveFirst = 'all';
  readonly #directory: string | undefined;
  #open: OpenBus | undefined;

  /** @param directory removed at the end; undefined for a bus in memory */
  constructor(directory?: string) {
    this.#directory = directory;
    this.url = `memory:${directory === undefined ? '' : join(directory, 'bus.sqlite')}`;
  }

  static inMemory(): JournalBusFixture {
    return new JournalBusFixture();
  }

  static inFile(): JournalBusFixture {
    return new JournalBusFixture(mkdtempSync(join(tmpdir(), 'message-bus-')));
  }

  get path(): string {
    return parseJournalUrl(this.url).path;
  }

  /** The open bus. */
  get bus(): InProcessBus {
    return this.#current().bus;
  }

  /** The journal of the bus. */
  get journal(): Journal {
    return this.#current().journal;
  }

  async open({ hooks, clock = Date.now }: FixtureOptions = {}): Promise<InProcessBus> {
    const journal = openJournal(parseJournalUrl(this.url), ORIGIN);
    const bus = new InProcessBus({ journal, origin: ORIGIN, hooks: { ...noHooks, ...hooks }, clock, pollMs: 5 });
    this.#open = { bus, journal };
    return bus;
  }

  async publishRaw(queue: Parameters<BusFixture['publishRaw']>[0], body: string): Promise<void> {
    await this.#current().bus.enqueue({ queues: [queue], isFact: false, priority: 0, expiresAt: null, body });
  }

  async deadLetters() {
    if (this.#directory !== undefined) return openDeadLetterStore({ url: this.url });
    const { bus, journal } = this.#current();
    return Object.assign(new JournalDeadLetterStore(journal.store, () => bus.refresh()), {
      // The store is the bus's own.
      close: () => Promise.resolve(),
    });
  }

  async remove(): Promise<void> {
    await this.#open?.bus.close();
    if (this.#directory !== undefined) rmSync(this.#directory, { recursive: true });
  }

  #current(): OpenBus {
    if (this.#open === undefined) throw new Error('The bus is not open');
    return this.#open;
  }
}
