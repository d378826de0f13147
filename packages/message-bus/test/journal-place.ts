import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDeadLetters } from '@lobbystats/message-bus';
import { completeHooks } from '../src/bus-hooks.ts';
import { JournalDeadLetters } from '../src/in-process/dead-letters.ts';
import { InProcessBus } from '../src/in-process/in-process-bus.ts';
import { journalPlace } from '../src/in-process/journal-place.ts';
import { openJournal, type Journal } from '../src/in-process/journal.ts';
import type { BusPlace, PlaceOptions } from './bus-place.ts';
import { ORIGIN } from './samples.ts';

interface OpenBus {
  bus: InProcessBus;
  journal: Journal;
}

/** A place of the in-process bus, with the doors that its own tests need. */
export class JournalBusPlace implements BusPlace {
  readonly url: string;
  readonly liveFirst = 'all';
  readonly #directory: string | undefined;
  #open: OpenBus | undefined;

  /** @param directory removed in the end; none for a bus in memory */
  constructor(directory?: string) {
    this.#directory = directory;
    this.url = `memory:${directory === undefined ? '' : join(directory, 'bus.sqlite')}`;
  }

  static inMemory(): JournalBusPlace {
    return new JournalBusPlace();
  }

  static inFile(): JournalBusPlace {
    return new JournalBusPlace(mkdtempSync(join(tmpdir(), 'message-bus-')));
  }

  get path(): string {
    return journalPlace(this.url).path;
  }

  /** The open bus. */
  get bus(): InProcessBus {
    return this.#current().bus;
  }

  /** Its journal. */
  get journal(): Journal {
    return this.#current().journal;
  }

  async open({ hooks, clock = Date.now }: PlaceOptions = {}): Promise<InProcessBus> {
    const journal = openJournal(journalPlace(this.url), ORIGIN);
    const bus = new InProcessBus({ journal, origin: ORIGIN, hooks: completeHooks(hooks), clock, watchMs: 5 });
    this.#open = { bus, journal };
    return bus;
  }

  async publishRaw(queue: Parameters<BusPlace['publishRaw']>[0], body: string): Promise<void> {
    await this.#current().bus.put({ queues: [queue], fact: false, priority: 0, expiresAt: null, body });
  }

  async deadLetters() {
    if (this.#directory !== undefined) return openDeadLetters({ url: this.url });
    const { bus, journal } = this.#current();
    return Object.assign(new JournalDeadLetters(journal.store, () => bus.lookAgain()), {
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
