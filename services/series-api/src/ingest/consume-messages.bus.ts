import {
  parseInstant,
  registeredObserved,
  slotObserved,
  slotWithdrawn,
  titleStored,
  type EpochSeconds,
} from '@lobbystats/contracts';
import { handle, handleBatch, type MessageBus, type Subscription } from '@lobbystats/service-kit/bus';
import { createMutex } from '@lobbystats/service-kit/concurrency';
import type { Metrics } from '@lobbystats/service-kit';
import type { SiteDayQueries } from '../days/site-days.queries.ts';
import type { NowStore } from '../live/now.ts';
import { validateCount } from '../slots/snapshots.ts';
import { CLOCK_TOLERANCE_SECONDS, storeSlots, withdrawStored, type StoredBatch } from './store-slots.ts';
import { publishFacts, publishNow, publishWithdrawal } from './publish-facts.bus.ts';
import { AppError } from '@lobbystats/contracts/errors';
import { retainedDailies } from './retention.ts';
import type { WithdrawalStore } from './withdraw-slots.ts';

const MAX_SLOT_BATCH = 256;
/** Keeps a second batch ready: otherwise every other batch of a backlog would have one message. */
const PREFETCH = 2 * MAX_SLOT_BATCH;

export interface MessageConsumer {
  bus: MessageBus;
  store: WithdrawalStore & NowStore;
  now: () => EpochSeconds;
  ingest: IngestMetrics;
}

/** Acknowledges a slot once it and its facts are durable. */
export function consumeMessages({ bus, store, now, ingest }: MessageConsumer): Promise<Subscription> {
  // A withdrawal removes what a slot that is stored at the same time would read.
  const exclusively = createMutex();
  const slots = handleBatch(slotObserved, MAX_SLOT_BATCH, (messages) =>
    exclusively(async () => {
      const done = ingest.startBatch();
      const observed = messages.map(({ data, past }) => ({ observation: data, past }));
      const batch = await storeSlots(store, observed, now());
      done(batch);
      await publishFacts(bus, batch);
      await publishNow(bus, store, batch);
      ingest.setNewestSlot(await store.slotBefore(now() + 1));
    }),
  );
  const withdrawals = handle(slotWithdrawn, ({ data }) =>
    exclusively(async () => {
      const at = parseInstant(data.withdrawnAt);
      if (data.titleIds.length > 0) await store.removeTitles(data.titleIds);
      if (data.slots === null) return;
      const range = { from: parseInstant(data.slots.from), to: parseInstant(data.slots.to) };
      await publishWithdrawal(bus, { range, at, ...(await withdrawStored(store, range, at)) });
    }),
  );
  const registered = handle(registeredObserved, ({ data }) => storeRegistered(store, data, now()));
  const titles = handle(titleStored, ({ data: { revision, titles: stored, retired = [] } }) =>
    store.putTitleNames(revision, [...stored, ...retired.map((titleId) => ({ titleId, name: '' }))]),
  );
  return bus.consume({
    queue: 'series-api',
    handlers: [slots, withdrawals, registered, titles],
    prefetch: PREFETCH,
  });
}

export interface IngestMetrics {
  startBatch(): (batch: StoredBatch) => void;
  setNewestSlot(slot: EpochSeconds | null): void;
}

export function ingestMetrics(metrics: Metrics): IngestMetrics {
  const slots = metrics.counter('slots_observed_total', 'Observed slots, by what was done with them', ['result']);
  const points = metrics.counter('snapshots_stored_total', 'Snapshots of titles and matches stored');
  const duration = metrics.histogram('slot_batch_duration_seconds', 'How long storing a batch of slots took');
  const newest = metrics.gauge('newest_slot_timestamp_seconds', 'The newest slot that can be read');
  return {
    startBatch: () => {
      const stopTimer = duration.startTimer();
      return ({ stored, repeated, expired, withdrawn, points: written }) => {
        stopTimer();
        slots.inc({ result: 'stored' }, stored);
        slots.inc({ result: 'repeated' }, repeated);
        slots.inc({ result: 'expired' }, expired);
        slots.inc({ result: 'withdrawn' }, withdrawn);
        points.inc(written);
      };
    },
    setNewestSlot: (slot) => {
      if (slot !== null) newest.set(slot);
    },
  };
}

type RegisteredObservation = ReturnType<typeof registeredObserved.data.parse>;

/**
 * Days beyond the retention are skipped. Future days are invalid.
 *
 * @throws AppError `invalid` when a day or the time of its reading lies in the future, or a count is above the
 * maximum; then nothing is stored
 */
async function storeRegistered(
  store: SiteDayQueries,
  { days }: RegisteredObservation,
  now: EpochSeconds,
): Promise<void> {
  const counts = days.map(({ date, registered, seenAt }) => ({
    day: parseInstant(date),
    registered: validateCount(registered),
    seenAt: parseInstant(seenAt),
  }));
  for (const { day, seenAt } of counts) {
    if (Math.max(day, seenAt) > now + CLOCK_TOLERANCE_SECONDS) {
      throw new AppError('invalid', 'Registered users of a day in the future');
    }
  }
  await store.putRegistered(counts.filter(({ day }) => day > retainedDailies(now).after));
}
