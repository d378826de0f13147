import { startPortions, type Portions } from '@lobbystats/service-kit/concurrency';
import { dayOf } from '../users/play-day.ts';
import type { RetirementPosition } from './plan-retirement.ts';
import type { UserCatalog } from './user-catalog.ts';

/** Between looks at the day. */
const INTERVAL_MS = 3_600_000;

interface UserRetirementOptions {
  catalog: Pick<UserCatalog, 'retire'>;
  clock: () => number;
  onFault: (error: unknown) => void;
}

/** Passes all users once a UTC day, in small portions. `stop` waits for a running portion. */
export function startUserRetirement({ catalog, clock, onFault }: UserRetirementOptions): Portions {
  let doneDay: number | undefined;
  let position: RetirementPosition | undefined;
  const portion = async () => {
    const today = dayOf(Math.floor(clock() / 1000));
    if (doneDay === today) return false;
    const { next, isDue } = await catalog.retire(position);
    position = next;
    if (isDue && next === undefined) doneDay = today;
    return next !== undefined;
  };
  return startPortions({ everyMs: INTERVAL_MS, portion, onFault });
}
