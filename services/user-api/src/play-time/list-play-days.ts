import {
  DAY_SECONDS,
  formatDate,
  SLOT_SECONDS,
  type EpochSeconds,
  type operations,
  type Reply,
} from '@lobbystats/contracts';
import type { UserStore } from '../users/user-store.ts';
import { firstRetainedDay } from './day-retention.ts';
import { countBits, dayOf } from '../users/play-day.ts';

/** Minutes of each stored day, of all titles together. */
export async function listPlayDays(
  store: Pick<UserStore, 'playDays'>,
  userKey: string,
  now: EpochSeconds,
): Promise<Reply<typeof operations.listPlayDays>> {
  const first = firstRetainedDay(now);
  const keys = Array.from({ length: dayOf(now) - first + 1 }, (_, index) => ({ key: userKey, day: first + index }));
  const days = (await store.playDays(keys)).map(({ day, titles }) => {
    const slots = [...titles.values()].reduce((sum, bits) => sum + countBits(bits), 0);
    return { date: formatDate(day * DAY_SECONDS), minutes: (slots * SLOT_SECONDS) / 60 };
  });
  const played = days.filter(({ minutes }) => minutes > 0);
  return { body: { days: played.sort((a, b) => (a.date < b.date ? -1 : 1)) } };
}
