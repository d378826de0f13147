import { setImmediate } from 'node:timers/promises';
import { DAY_SECONDS, formatInstant, SLOT_SECONDS, slotOf } from '@lobbystats/contracts';
import { parseInstant } from '../instants.ts';
import { ControlApiError } from './control-api-error.ts';
import type { World } from '../world/world.ts';

interface Span {
  fromInclusive: number;
  toExclusive: number;
}

export interface HistoryQuery extends Span {
  step: typeof SLOT_SECONDS | typeof DAY_SECONDS;
}

export function readHistoryQuery(query: Readonly<Record<string, unknown>>): HistoryQuery {
  return { ...readSpan(query), step: step(query['step']) };
}

export function readSpan(query: Readonly<Record<string, unknown>>): Span {
  const fromInclusive = instant(query, 'from');
  const toExclusive = instant(query, 'to');
  if (fromInclusive > toExclusive) throw new ControlApiError(400, 'from must not be after to');
  return { fromInclusive, toExclusive };
}

function instant(query: Readonly<Record<string, unknown>>, name: string): number {
  const value = query[name];
  const epochSeconds = typeof value === 'string' ? parseInstant(value) : undefined;
  if (epochSeconds === undefined) throw new ControlApiError(400, `${name} must be one instant YYYY-MM-DDTHH:MM:SSZ`);
  return epochSeconds;
}

function step(value: unknown): HistoryQuery['step'] {
  if (value === undefined || value === String(SLOT_SECONDS)) return SLOT_SECONDS;
  if (value === String(DAY_SECONDS)) return DAY_SECONDS;
  throw new ControlApiError(400, `step must be ${SLOT_SECONDS} or ${DAY_SECONDS}`);
}

const MAX_SLOTS = 288;
const MAX_DAYS = 1_000;
const MAX_CHARACTERS = 4 * 1024 * 1024;

export function maxElements(query: HistoryQuery, now: number): number {
  const first = firstStep(query);
  const most = query.step === DAY_SECONDS ? MAX_DAYS : MAX_SLOTS;
  return Math.max(0, Math.min(most, Math.ceil((endOf(query, now) - first) / query.step)));
}

/** A generator of the answer's pieces, computed on demand, that yields between elements. */
export async function* historyFeed(world: World, query: HistoryQuery, now: number): AsyncGenerator<string> {
  const elements = maxElements(query, now);
  const element = query.step === DAY_SECONDS ? dayElement : slotElement;
  let at = firstStep(query);
  let characters = 0;
  yield '{"slots":[';
  for (let index = 0; index < elements && characters < MAX_CHARACTERS; index += 1) {
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

/** The current slot is the last one with a past. */
function endOf({ toExclusive }: HistoryQuery, now: number): number {
  return Math.min(toExclusive, Math.floor(now) + 1);
}
