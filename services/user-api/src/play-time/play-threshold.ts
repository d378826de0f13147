import { SLOTS_PER_DAY, type EpochSeconds } from '@lobbystats/contracts';
import { SLOT_MINUTES } from './credit-titles.ts';
import type { Rule } from '../achievements/definitions.ts';
import { hasBit, slotAt, type DayChange, type DayTitles } from './play-day.ts';
import { totalMinutes, type TitlePlay } from '../users/user-record.ts';

/** Returns the slot that reached a play time threshold, or undefined. `before`: minutes without the changed slots. */
export function thresholdReachedAt(
  rule: Rule,
  before: readonly TitlePlay[],
  changes: readonly DayChange[],
): EpochSeconds | undefined {
  const isReached = thresholdTest(rule);
  if (isReached === undefined) return undefined;
  const minutes = new Map(before.map((title) => [title.titleId, title.minutes]));
  const played: PlayTotals = { minutes, total: totalMinutes({ titles: before }) };
  if (isReached(played)) return undefined;
  for (const { slot, from, to } of changedSlots(changes)) {
    addMinutes(played, from, -SLOT_MINUTES);
    addMinutes(played, to, SLOT_MINUTES);
    if (isReached(played)) return slot;
  }
  return undefined;
}

interface PlayTotals {
  readonly minutes: Map<string, number>;
  total: number;
}

function thresholdTest(rule: Rule): ((played: PlayTotals) => boolean) | undefined {
  switch (rule.kind) {
    case 'play-minutes':
      return ({ total }) => total >= rule.minutes;
    case 'play-minutes-in-title':
      return ({ minutes }) => (minutes.get(rule.titleId) ?? 0) >= rule.minutes;
    case 'titles-played':
      return ({ minutes }) => minutes.size >= rule.count;
    default:
      return undefined;
  }
}

function addMinutes(played: PlayTotals, titleId: string | undefined, by: number): void {
  if (titleId === undefined) return;
  const minutes = (played.minutes.get(titleId) ?? 0) + by;
  if (minutes > 0) played.minutes.set(titleId, minutes);
  else played.minutes.delete(titleId);
  played.total += by;
}

function* changedSlots(changes: readonly DayChange[]): Generator<{
  slot: EpochSeconds;
  from: string | undefined;
  to: string | undefined;
}> {
  for (const { day, before, after } of changes.toSorted((a, b) => a.day - b.day)) {
    for (let index = 0; index < SLOTS_PER_DAY; index += 1) {
      const [from, to] = [titleIn(before, index), titleIn(after, index)];
      if (from !== to) yield { slot: slotAt(day, index), from, to };
    }
  }
}

function titleIn(titles: DayTitles, index: number): string | undefined {
  for (const [titleId, bits] of titles) if (hasBit(bits, index)) return titleId;
  return undefined;
}
