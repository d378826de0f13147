import type { MongoStore } from '@lobbystats/service-kit/mongo';
import { maxReservedMs, MAX_LEAD_MS, SETTLE_MS, SET_BACK_MS, type PermitStore } from './permit-store.ts';

/** The document of all replicas, with times of the primary's clock. */
interface RateRow {
  _id: 'network';
  /** The time of the last change. */
  nowMs: number;
  nextMs: number;
  quietUntilMs: number;
  /** The wait that was announced. */
  quietForMs: number;
  granted: number;
  startMs: number;
}

const ID = { _id: 'network' } as const;
/** Must end before the permits of the last look expire. */
const LOOK_TIMEOUT_MS = 700;

type Expression = unknown;
const SERVER_TIME: Expression = { $toDouble: '$$NOW' };

/** @param serverTime an expression in epoch milliseconds, for tests */
export function createMongoPermitStore(store: MongoStore, serverTime = () => SERVER_TIME): PermitStore {
  const rows = store.collection<RateRow>('request_rate');
  const change = (...steps: Record<string, Expression>[]) =>
    store.run(async () => {
      const pipeline = [{ $set: { nowMs: serverTime() } }, ...steps.map(($set) => ({ $set }))];
      const row = await rows.findOneAndUpdate(ID, pipeline, { upsert: true, returnDocument: 'after' });
      if (row === null) throw new Error('The upsert returned no document');
      return row;
    });

  return {
    look: () =>
      store.run(async () => {
        const projection = { quietUntilMs: 1, nowMs: serverTime() };
        // A primary that was replaced must not answer: it knows neither a newer Retry-After nor the current clock.
        const options = { readConcern: { level: 'linearizable' }, maxTimeMS: LOOK_TIMEOUT_MS } as const;
        const row = await rows.findOne(ID, { ...options, projection });
        return row === null ? undefined : { nowMs: row.nowMs, quietUntilMs: row.quietUntilMs };
      }, LOOK_TIMEOUT_MS),

    async reserve(count, stepMs) {
      const isGranted = {
        $and: [{ $lte: ['$quietUntilMs', '$nowMs'] }, { $lte: ['$nextMs', { $add: ['$nowMs', MAX_LEAD_MS] }] }],
      };
      return change(
        { ...quietAfterSetBack, nextMs: nextAfterSetBack(stepMs) },
        { granted: { $cond: [isGranted, count, 0] }, startMs: { $max: ['$nextMs', '$nowMs'] } },
        { nextMs: { $cond: [isGranted, { $add: ['$startMs', count * stepMs] }, '$nextMs'] } },
      );
    },

    async announceQuiet(waitMs) {
      const untilMs = { $add: ['$nowMs', waitMs] };
      await change(
        { ...quietAfterSetBack, nextMs: { $ifNull: ['$nextMs', 0] } },
        {
          quietForMs: { $cond: [{ $gt: [untilMs, '$quietUntilMs'] }, waitMs, '$quietForMs'] },
          quietUntilMs: { $max: [untilMs, '$quietUntilMs'] },
        },
      );
    },
  };
}

/** Permits beyond what can be reserved are of a clock that was ahead. All replicas drop them within the settling time. */
function nextAfterSetBack(stepMs: number): Expression {
  const next = { $ifNull: ['$nextMs', 0] };
  const limit = { $add: ['$nowMs', maxReservedMs(stepMs) + SET_BACK_MS] };
  return { $cond: [{ $gt: [next, limit] }, { $add: ['$nowMs', SETTLE_MS] }, next] };
}

/** A wait that is longer than the announced one is of a clock that was ahead: it begins again. */
const quietAfterSetBack: Record<string, Expression> = {
  quietUntilMs: {
    $min: [{ $ifNull: ['$quietUntilMs', 0] }, { $add: ['$nowMs', { $ifNull: ['$quietForMs', 0] }] }],
  },
  quietForMs: { $ifNull: ['$quietForMs', 0] },
};
