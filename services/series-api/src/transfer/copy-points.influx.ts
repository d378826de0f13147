import { SNAPSHOT_RETENTION_SECONDS } from '@lobbystats/contracts';
import { queryInflux, writeLines, type InfluxAdmin, type TextSeries } from '../administration/inspect.influx.ts';
import { fieldText, formatLine } from '../database/lines.ts';

export type PointCounts = Record<string, number>;

const DAY_NS = 86_400_000_000_000n;
const WINDOW_DAYS = { snapshots: 1n, daily: 60n } as const;
const LINES_PER_WRITE = 5000;
/** A point that expires within this time of being written may be refused. */
const EXPIRY_MARGIN_NS = 120_000_000_000n;

type FieldType = 'integer' | 'float' | 'string' | 'boolean';

/**
 * All points as line protocol. Site points come first: series-api writes a slot's site last, so a copied site's slot is
 * complete.
 */
export async function* exportPoints(
  admin: InfluxAdmin,
  { bucket, kind }: { bucket: string; kind: keyof typeof WINDOW_DAYS },
): AsyncGenerator<string[]> {
  for (const measurement of await measurementsOf(admin, bucket)) {
    const types = await typesOf(admin, bucket, measurement);
    const from = `FROM ${quoteIdentifier(measurement)} WHERE time >=`;
    for (let cursor: bigint | undefined = 0n; ;) {
      const [first]: TextSeries[] = await queryInflux(
        admin,
        bucket,
        `SELECT * ${from} ${cursor} ORDER BY time ASC LIMIT 1`,
      );
      const time = first?.values[0]?.[0];
      if (time === undefined || time === null) break;
      cursor = BigInt(time) + WINDOW_DAYS[kind] * DAY_NS;
      const found = await queryInflux(
        admin,
        bucket,
        `SELECT * ${from} ${BigInt(time)} AND time < ${cursor} GROUP BY *`,
      );
      yield found.flatMap((series) => linesOf(series, types));
    }
  }
}

export async function countPoints(admin: InfluxAdmin, bucket: string): Promise<PointCounts> {
  const counts: PointCounts = {};
  for (const measurement of await measurementsOf(admin, bucket)) {
    const [series] = await queryInflux(
      admin,
      bucket,
      `SELECT count(*) FROM ${quoteIdentifier(measurement)} WHERE time >= 0`,
    );
    const [row] = series?.values ?? [];
    for (const [index, column] of (series?.columns ?? []).entries()) {
      if (column !== 'time') counts[`${measurement}.${column.replace(/^count_/, '')}`] = Number(row?.[index] ?? 0);
    }
  }
  return counts;
}

export function countLines(lines: readonly string[], into: PointCounts): void {
  for (const line of lines) for (const field of fieldsOf(line)) into[field] = (into[field] ?? 0) + 1;
}

/**
 * Writes lines that have not expired.
 *
 * @param nowMs epoch milliseconds
 * @returns the expired lines, which were not written
 */
export async function importLines(
  admin: InfluxAdmin,
  { bucket, kind, nowMs }: { bucket: string; kind: keyof typeof WINDOW_DAYS; nowMs: number },
  lines: readonly string[],
): Promise<string[]> {
  const oldest =
    kind === 'daily'
      ? 0n
      : (BigInt(nowMs) - BigInt(SNAPSHOT_RETENTION_SECONDS) * 1000n) * 1_000_000n + EXPIRY_MARGIN_NS;
  const isCurrent = (line: string) => BigInt(line.slice(line.lastIndexOf(' ') + 1)) >= oldest;
  const currentLines = lines.filter(isCurrent);
  for (let from = 0; from < currentLines.length; from += LINES_PER_WRITE) {
    await writeLines(admin, bucket, currentLines.slice(from, from + LINES_PER_WRITE));
  }
  return currentLines.length === lines.length ? [] : lines.filter((line) => !isCurrent(line));
}

async function measurementsOf(admin: InfluxAdmin, bucket: string): Promise<string[]> {
  const [found] = await queryInflux(admin, bucket, 'SHOW MEASUREMENTS');
  const names = (found?.values ?? []).map(([name]) => String(name));
  return [...names.filter((name) => name === 'site'), ...names.filter((name) => name !== 'site')];
}

async function typesOf(admin: InfluxAdmin, bucket: string, measurement: string): Promise<Map<string, FieldType>> {
  const [found] = await queryInflux(admin, bucket, `SHOW FIELD KEYS FROM ${quoteIdentifier(measurement)}`);
  return new Map((found?.values ?? []).map(([key, type]) => [String(key), String(type) as FieldType]));
}

function quoteIdentifier(identifier: string): string {
  return `"${identifier.replace(/["\\]/g, '\\$&')}"`;
}

function linesOf({ name, tags = {}, columns, values }: TextSeries, types: ReadonlyMap<string, FieldType>): string[] {
  return values.map((row) => {
    const fields: Record<string, string> = {};
    for (const [index, column] of columns.entries()) {
      const cell = row[index];
      if (index > 0 && cell !== null && cell !== undefined) fields[column] = cellText(cell, types.get(column));
    }
    return formatLine({ measurement: name, tags, time: String(row[0]) }, fields);
  });
}

/** Large numbers are texts already. */
function cellText(cell: string | number | boolean, type: FieldType | undefined): string {
  if (type === 'integer') return `${cell}i`;
  return type === 'string' || type === 'boolean' ? fieldText(cell) : String(cell);
}

/** `measurement.field` of each field of a line. */
function fieldsOf(line: string): string[] {
  const headEnd = /(?<!\\) /.exec(line)?.index ?? 0;
  const measurement = (/^(?:\\.|[^,])*/.exec(line.slice(0, headEnd))?.[0] ?? '').replace(/\\(.)/g, '$1');
  const fields = line.slice(headEnd + 1, line.lastIndexOf(' '));
  return [...fields.matchAll(/((?:\\.|[^,=])+)=(?:"(?:\\.|[^"\\])*"|[^,]*),?/gs)].map(
    ([, field]) => `${measurement}.${(field ?? '').replace(/\\(.)/g, '$1')}`,
  );
}
