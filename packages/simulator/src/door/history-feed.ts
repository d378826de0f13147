import { setImmediate } from 'node:timers/promises';

import { DAY_SECONDS, formatInstant, SLOT_SECONDS, slotOf } from '../instants.ts';
import type { World } from '../world/world.ts';
import type { HistoryQuery } from './history-query.ts';

/** An answer has at most a day of slots, or this many days, and ends early once it is this long. */
const MOST_SLOTS = 288;
const MOST_DAYS = 1_000;
const MOST_CHARACTERS = 4 * 1024 * 1024;

/** How many elements an answer has at most. */
export function mostElements(query: HistoryQuery, now: number): number {
  const first = firstStep(query);
  const most = query.step === DAY_SECONDS ? MOST_DAYS : MOST_SLOTS;
  return Math.max(0, Math.min(most, Math.ceil((endOf(query, now) - first) / query.step)));
}

/**
 * The feed's answer in pieces: one for the head, one for each element, one for the tail, `next` in it. Nothing is
 * worked out before it is asked for, and between two elements other work of the process gets its turn.
 */
export async function* historyFeed(world: World, query: HistoryQuery, now: number): AsyncGenerator<string> {
  const elements = mostElements(query, now);
  const element = query.step === DAY_SECONDS ? dayElement : slotElement;
  let at = firstStep(query);
  let characters = 0;
  yield '{"slots":[';
  for (let index = 0; index < elements && characters < MOST_CHARACTERS; index += 1) {
    const piece = `${index === 0 ? '' : ',\n'}${JSON.stringify(element(world, at, now))}`;
    characters += piece.length;
    at += query.step;
    yield piece;
    await setImmediate();
  }
  yield `],"next":${at < endOf(query, now) ? `"${formatInstant(at)}"` : 'null'}}\n`;
}

function slotElement(world: World, slot: number): object {
  return { ...world.observe(slot), slot: formatInstant(slot) };
}

function dayElement(world: World, day: number, now: number): object {
  const lastSlot = Math.min(day + DAY_SECONDS - SLOT_SECONDS, slotOf(now));
  return { slot: formatInstant(day), registered: world.registeredAt(lastSlot) };
}

function firstStep({ fromInclusive, step }: HistoryQuery): number {
  return Math.ceil(fromInclusive / step) * step;
}

/** The end of what can be told: the present slot is the last that has a past, however new it is. */
function endOf({ toExclusive }: HistoryQuery, now: number): number {
  return Math.min(toExclusive, Math.floor(now) + 1);
}
