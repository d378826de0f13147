import { setImmediate } from 'node:timers/promises';

import { DAY_SECONDS, SLOT_SECONDS, slotOf } from '../instants.ts';
import type { PlaySpan } from '../world/play-day.ts';
import type { World } from '../world/world.ts';

const DAYS_BACK = 7;

export interface RecentPlay {
  spans: readonly PlaySpan[];
  current: PlaySpan | undefined;
  inTitleSince: number;
  onlineSince: number;
}

/** The last seven days up to `now` (epoch seconds). Yields between days. */
export async function recentPlay(
  world: World,
  players: readonly number[],
  now: number,
): Promise<Map<number, RecentPlay>> {
  const slot = slotOf(now);
  const spansOf = new Map<number, PlaySpan[]>(players.map((player) => [player, []]));
  for (let back = 0; back <= DAYS_BACK; back += 1) {
    const instant = slot - back * DAY_SECONDS;
    if (instant < 0) break;
    for (const [player, spans] of spansOf) {
      const ofDay = world.playOf(instant, player).filter(({ from }) => from <= slot);
      spans.push(...ofDay.map((span) => ({ ...span, to: Math.min(span.to, slot) })).reverse());
    }
    await setImmediate();
  }
  return new Map([...spansOf].map(([player, spans]) => [player, summarize(spans, slot)]));
}

function summarize(spans: readonly PlaySpan[], slot: number): RecentPlay {
  const current = spans[0]?.to === slot ? spans[0] : undefined;
  let inTitleSince = slot + SLOT_SECONDS;
  let onlineSince = slot + SLOT_SECONDS;
  for (const { title, from, to } of spans) {
    if (to !== onlineSince - SLOT_SECONDS) break;
    if (inTitleSince === onlineSince && title?.titleId === current?.title?.titleId) inTitleSince = from;
    onlineSince = from;
  }
  return { spans, current, inTitleSince, onlineSince };
}
