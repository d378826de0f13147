import {
  eventsObserved,
  eventStored,
  formatInstant,
  type AnnouncedEvent,
  type Message,
  type PublicEvent,
} from '@lobbystats/contracts';
import { eventually, getJson, type JsonAnswer } from '@lobbystats/test-kit';
import type { z } from 'zod';
import { NOW, runCatalog, until, type RunningCatalog } from './running-catalog.ts';

type EventFact = Message<z.output<typeof eventStored.data>>;

/** A catalog-api to which events are announced. */
export interface RunningEvents extends Pick<RunningCatalog, 'observeHome' | 'clock' | 'stop' | 'bus'> {
  /** Announces events, all that there are, and waits until they are taken in. */
  announce(events: AnnouncedEvent[], seenAt?: number, options?: { past?: boolean }): Promise<void>;
  ask<Body = PublicEvent[]>(path: string): Promise<JsonAnswer<Body>>;
  /** The ids in a list's answer. */
  ids(path: string): Promise<number[]>;
  /** The facts of events, when there are so many. */
  facts(count: number): Promise<EventFact[]>;
}

/** Starts a catalog-api that has no events yet. */
export async function runEvents(env: Record<string, string> = {}): Promise<RunningEvents> {
  const catalog = await runCatalog({ env });
  const { bus, clock, url } = catalog;
  const ask = <Body>(path: string) => getJson<Body>(url + path);
  return {
    bus,
    clock,
    stop: () => catalog.stop(),
    observeHome: (rows, options) => catalog.observeHome(rows, options),
    announce: async (events, seenAt = NOW, options = {}) => {
      await bus.publish(eventsObserved, { seenAt: formatInstant(seenAt), events }, options);
      await until(async () => (await bus.depth('catalog-api')) === 0);
    },
    ask,
    ids: async (path) => {
      const { status, body } = await ask<PublicEvent[]>(path);
      expect(status).toBe(200);
      return body.map(({ id }) => id);
    },
    facts: (count) =>
      eventually(() => {
        const found = catalog.said(eventStored);
        expect(found).toHaveLength(count);
        return found;
      }),
  };
}
