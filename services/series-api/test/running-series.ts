import {
  formatInstant,
  registeredObserved,
  slotObserved,
  titleStored,
  type GameMetadata,
  type Message,
} from '@lobbystats/contracts';
import { openBus, type MessageBus } from '@lobbystats/service-kit/bus';
import { silentLogger, type OverridesOf } from '@lobbystats/service-kit';
import { until as pollUntil } from '@lobbystats/test-kit';
import type { SlotObservation } from '../src/slots/snapshots.ts';
import { seriesApi } from '../src/service.ts';
import { NOW, observation, type SlotSketch } from './observations.ts';

/** A running series-api with an in-process bus and a SQLite store. */
export interface RunningSeries {
  readonly bus: MessageBus;
  readonly url: string;
  /** Published facts, in the order of the log. */
  readonly facts: Message[];
  /** Epoch milliseconds; tests may change it. */
  readonly clock: { nowMs: number };
  /** Publishes slots and waits until they are consumed. */
  observe(slots: Record<number, SlotSketch>, options?: { past?: boolean }): Promise<void>;
  publish(observations: readonly SlotObservation[], options?: { past?: boolean }): Promise<void>;
  /** Registered users by day, each seen at the day's end. */
  observeRegistered(days: Record<string, number>): Promise<void>;
  /** Names by title ID. */
  name(revision: number, names: Record<string, string>): Promise<void>;
  get(path: string): Promise<Answer>;
  stop(): Promise<void>;
}

interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly body: unknown;
}

export interface RunOptions extends OverridesOf<typeof seriesApi> {
  env?: Record<string, string>;
}

const running = new Set<() => Promise<void>>();

// A test that fails before it has stopped its service must not keep the run from ending.
afterAll(async () => {
  for (const stop of running) await stop();
});

/** Starts a series-api on a free port, with a bus of its own unless one is given. */
export async function runSeries({ env = {}, ...overrides }: RunOptions = {}): Promise<RunningSeries> {
  const clock = { nowMs: NOW * 1000 };
  const bus = overrides.bus ?? (await openBus({ url: 'memory:', origin: 'simulated' }));
  const config = seriesApi.readConfig({ PORT: '0', METRICS_PORT: '0', SERIES_URL: 'sqlite::memory:', ...env });
  const service = await seriesApi.create(config, {
    clock: () => clock.nowMs,
    logger: silentLogger(),
    validateResponses: true,
    ...overrides,
    bus,
  });
  const facts: Message[] = [];
  const reader = await bus.readLog({
    from: 'start',
    onEntry: ({ message }) => {
      if (message.type !== titleStored.key) facts.push(message);
    },
    onFault: (error) => {
      throw error;
    },
  });
  const stop = async () => {
    if (!running.delete(stop)) return;
    await service.stop();
    await reader.stop();
    if (overrides.bus === undefined) await bus.close();
  };
  running.add(stop);
  await service.start();

  const settled = () => until(async () => (await bus.depth('series-api')) === 0);
  const publish: RunningSeries['publish'] = async (observations, { past = false } = {}) => {
    await Promise.all(observations.map((one) => bus.publish(slotObserved, one, { past })));
    await settled();
  };
  return {
    bus,
    url: service.url(),
    facts,
    clock,
    publish,
    observe: (slots, options) =>
      publish(
        Object.entries(slots).map(([slot, sketch]) => observation(Number(slot), sketch)),
        options,
      ),
    observeRegistered: async (days) => {
      const counts = Object.entries(days).map(([date, registered]) => ({
        date,
        registered,
        seenAt: `${date}T00:00:00Z`,
      }));
      await bus.publish(registeredObserved, { days: counts });
      await settled();
    },
    name: async (revision, names) => {
      const titles = Object.entries(names).map(([titleId, name]): GameMetadata => ({ ...unknownGame, titleId, name }));
      await bus.publish(titleStored, { revision, titles });
      await settled();
    },
    get: (path) => get(service.url() + path),
    stop,
  };
}

const unknownGame = { title: '', image: '', publisher: '', releaseDate: '', productCode: '' };

/** Data of the facts of one type, in the order of the log. */
export function factDataOf(facts: readonly Message[], type: { key: string }): unknown[] {
  return facts.filter((fact) => fact.type === type.key).map(({ data }) => data);
}

/** `Last-Modified` of an instant. */
export function httpDate(seconds: number): string {
  return new Date(seconds * 1000).toUTCString();
}

/** A slot's instant, as facts have it. */
export const at = formatInstant;

/** Polls until the condition holds. */
export const until = (isSo: () => boolean | Promise<boolean>): Promise<void> =>
  pollUntil(isSo, { timeoutMs: Infinity });

async function get(url: string): Promise<Answer> {
  const response = await fetch(url, { headers: { connection: 'close' } });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, body: JSON.parse(text) };
}
