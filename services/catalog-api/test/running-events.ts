import {
  eventsObserved,
  eventStored,
  formatInstant,
  type AnnouncedEvent,
  type Message,
  type PublicEvent,
} from '@lobbystats/contracts';
import { eventually, getJson, type JsonResponse } from '@lobbystats/test-kit';
import type { z } from 'zod';
import { NOW, runCatalog, waitUntil, type RunningCatalog } from './running-catalog.ts';

type EventFact = Message<z.output<typeof eventStored.data>>;

/** A catalog-api to which events are announced. */
export interface RunningEvents extends Pick<RunningCatalog, 'observeHome' | 'clock' | 'stop' | 'bus'> {
  /** Announces the complete list of events and waits until it is applied. */
  announce(events: AnnouncedEvent[], seenAt?: number, options?: { past?: boolean }): Promise<void>;
  get<Body = PublicEvent[]>(path: string): Promise<JsonResponse<Body>>;
  /** The IDs in a list response. */
  ids(path: string): Promise<number[]>;
  /** Waits for this number of event facts. */
  facts(count: number): Promise<EventFact[]>;
}

/** Starts a catalog-api that has no events yet. */
export async function runEvents(env: Record<string, string> = {}): Promise<RunningEvents> {
  const catalog = await runCatalog({ env });
  const { bus, clock, url } = catalog;
  const get = <Body>(path: string) => getJson<Body>(url + path);
  return {
    bus,
    clock,
    stop: () => catalog.stop(),
    observeHome: (rows, options) => catalog.observeHome(rows, options),
    announce: async (events, seenAt = NOW, options = {}) => {
      await bus.publish(eventsObserved, { seenAt: formatInstant(seenAt), events }, options);
      await waitUntil(async () => (await bus.depth('catalog-api')) === 0);
    },
    get,
    ids: async (path) => {
      const { status, body } = await get<PublicEvent[]>(path);
      expect(status).toBe(200);
      return body.map(({ id }) => id);
    },
    facts: (count) =>
      eventually(() => {
        const found = catalog.published(eventStored);
        expect(found).toHaveLength(count);
        return found;
      }),
  };
}
