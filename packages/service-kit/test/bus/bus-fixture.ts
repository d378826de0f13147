import type { ServiceName } from '@lobbystats/contracts';
import type { BusEvent, BusEventDetails, BusHooks, DeadLetterStore, MessageBus } from '../../src/bus/index.ts';
import { Recorder } from './recorder.ts';

export interface FixtureOptions {
  hooks?: Partial<BusHooks>;
  clock?: () => number;
}

/** A bus of one test: what an adapter provides to the contract suite. */
export interface BusFixture {
  /** URL for `openBus`, in this process or another. */
  readonly url: string;
  /** `all`: no past message is delivered while live ones wait; `most`: only few are. */
  readonly liveFirst: 'all' | 'most';
  /** Opens the bus of `ORIGIN`; again only after the first one is closed. */
  open(options?: FixtureOptions): Promise<MessageBus>;
  /** Enqueues a body on the open bus without any checks. */
  publishRaw(queue: ServiceName, body: string): Promise<void>;
  deadLetters(): Promise<DeadLetterStore>;
  /** Closes and deletes everything. */
  remove(): Promise<void>;
}

export type CreateFixture = () => BusFixture | Promise<BusFixture>;

export interface RecordedEvent extends BusEventDetails {
  name: BusEvent;
}

/** Hooks that collect the events of one kind. */
export function eventsOf(...names: readonly BusEvent[]): { hooks: Partial<BusHooks>; events: Recorder<RecordedEvent> } {
  const events = new Recorder<RecordedEvent>();
  return {
    events,
    hooks: {
      event: (seen, details) => {
        if (names.includes(seen)) events.add({ name: seen, ...details });
      },
    },
  };
}
