import type { InfluxConnection } from '../database/connection.influx.ts';

/** InfluxDB aggregates a day of this many well within the read timeout, beside other work. */
const TITLES_PER_STATEMENT = 250;
const DIGITS = Array.from({ length: 16 }, (_, digit) => digit.toString(16));

/**
 * Conditions on `titleId` that split the titles into disjoint groups, by the last digit of their IDs. InfluxDB takes time
 * for each series of a statement, so one statement for all titles of a large network would exceed the read timeout.
 */
export async function titleGroups(influx: Pick<InfluxConnection, 'query'>): Promise<string[]> {
  const [found] = await influx.query('daily', 'SELECT count(known) FROM title_info WHERE time <= 0', {});
  const titles = Number(found?.[0]?.values[0]?.[1] ?? 0);
  const count = Math.min(DIGITS.length, Math.ceil(titles / TITLES_PER_STATEMENT));
  if (count <= 1) return ['true'];
  return Array.from({ length: count }, (_, group) => {
    const digits = DIGITS.filter((_digit, index) => index % count === group);
    return `titleId =~ /[${digits.join('')}]$/`;
  });
}
