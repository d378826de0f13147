import { DAY_SECONDS, parseInstant, SLOT_SECONDS } from '../instants.ts';
import { ControlApiError } from './control-api-error.ts';

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
