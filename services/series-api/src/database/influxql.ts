import { SLOT_SECONDS, slotOf, type EpochSeconds } from '@lobbystats/contracts';
import type { Period } from '../series/periods.ts';

export interface Series {
  tags?: Readonly<Record<string, string>>;
  values: readonly Row[];
}

export type Row = readonly Cell[];
type Cell = number | string | boolean | null;

/** Rows of a statement that selects one series. */
export function rowsIn(found: readonly (readonly Series[])[]): readonly Row[] {
  return found[0]?.[0]?.values ?? [];
}

/** The first row of each title, of a statement grouped by title. */
export function byTitle(series: readonly Series[] = []): [titleId: string, row: Row][] {
  return series.map(({ tags, values: [row = []] }) => [tags?.['titleId'] ?? '', row]);
}

/** The count that a statement selects alone; 0 when there is nothing to count. */
export function countIn(found: readonly Series[] | undefined): number {
  return Number(found?.[0]?.values[0]?.[1] ?? 0);
}

/** The cells of the fields that a statement selects by the same list. A field that the point lacks is null. */
export function fieldsOf<Name extends string>(names: readonly Name[], cells: Row): Record<Name, number | null> {
  const fields = names.map((name, index) => [name, typeof cells[index] === 'number' ? cells[index] : null]);
  return Object.fromEntries(fields) as Record<Name, number | null>;
}

interface QueryResponse {
  error?: string;
  results?: readonly { error?: string; partial?: boolean; series?: readonly (Series & { partial?: boolean })[] }[];
}

/**
 * Rows of each statement, not copied.
 *
 * @throws Error when the response is partial or an error, which InfluxDB may send with status 200
 */
export function rowsOf(response: unknown): Series[][] {
  const { error, results } = (response ?? {}) as QueryResponse;
  if (error !== undefined) throw new Error(error);
  if (!Array.isArray(results)) throw new Error('not a query response');
  return (results as NonNullable<QueryResponse['results']>).map((result) => {
    if (result.error !== undefined) throw new Error(result.error);
    const series = result.series ?? [];
    if (result.partial === true || series.some(({ partial }) => partial)) throw new Error('the server limits its rows');
    return [...series];
  });
}

/** Nanoseconds have 63 bits. */
const LATEST: EpochSeconds = 9_000_000_000;

export function instantValue(instant: EpochSeconds): string {
  return new Date(Math.min(Math.max(instant, 0), LATEST) * 1000).toISOString();
}

/** Points of hosts lie within the slot before it. */
export function slotAfterInstant(instant: EpochSeconds): EpochSeconds {
  return slotOf(instant) + SLOT_SECONDS;
}

/** Takes {@link periodValues}. */
export const IN_PERIOD = 'time > $after AND time <= $until';

/** `horizon`: nothing before it or at it is read. */
export function periodValues({ after, until }: Period, horizon: EpochSeconds) {
  return { after: instantValue(Math.max(after, horizon)), until: instantValue(until) };
}
