import type { ServiceName } from '@lobbystats/contracts';
import type { BusEvent, BusEventDetails, BusHooks, DeadLetterOffice, MessageBus } from '@lobbystats/message-bus';
import { Collected } from './collected.ts';

export interface PlaceOptions {
  hooks?: Partial<BusHooks>;
  clock?: () => number;
}

/** Somewhere a bus can be, for one test: what an adapter brings to the contract suite. */
export interface BusPlace {
  /** What `openBus` takes, in this process or another. */
  readonly url: string;
  /** Whether no past message at all is handed over while live ones wait, or only few of them. */
  readonly liveFirst: 'all' | 'most';
  /** Opens the bus of `ORIGIN`. A second time only when the first one is closed. */
  open(options?: PlaceOptions): Promise<MessageBus>;
  /** Puts a body into a queue of the open bus, past all checks. */
  publishRaw(queue: ServiceName, body: string): Promise<void>;
  deadLetters(): Promise<DeadLetterOffice>;
  /** Closes what is open and leaves nothing behind. */
  remove(): Promise<void>;
}

export type CreatePlace = () => BusPlace | Promise<BusPlace>;

export interface SeenEvent extends BusEventDetails {
  name: BusEvent;
}

/** Hooks that collect the events of one kind. */
export function eventsOf(name: BusEvent): { hooks: Partial<BusHooks>; events: Collected<SeenEvent> } {
  const events = new Collected<SeenEvent>();
  return {
    events,
    hooks: {
      event: (seen, details) => {
        if (seen === name) events.add({ name: seen, ...details });
      },
    },
  };
}
