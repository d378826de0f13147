import { InfluxDB } from '@influxdata/influxdb-client';
import { testServers } from '@lobbystats/test-kit';
import type { TestBuckets } from '@lobbystats/series-api/influx-buckets';
import type { Tables, ExampleQuery } from './example-queries.ts';

/** Numbers are rounded to three decimals. */
const PRECISION = 1000;

/** Runs an example query of the document against test buckets. */
export async function runExampleQuery(
  question: ExampleQuery,
  testBuckets: Pick<TestBuckets, 'buckets' | 'token'>,
): Promise<Tables> {
  return question.language === 'flux' ? runFlux(question, testBuckets) : runInfluxQl(question, testBuckets);
}

interface InfluxQlResponse {
  error?: string;
  results?: { error?: string; series?: { tags?: object; columns: string[]; values: unknown[][] }[] }[];
}

async function runInfluxQl(
  { query, bucket }: ExampleQuery,
  { buckets, token }: Pick<TestBuckets, 'buckets' | 'token'>,
) {
  const search = new URLSearchParams({ db: buckets[bucket], q: query });
  const headers = { authorization: `Token ${token}` };
  const answer = await fetch(`${testServers().influxdb.url}/query?${search.toString()}`, { headers });
  const { results = [], error } = (await answer.json()) as InfluxQlResponse;
  const fault = error ?? results.find((result) => result.error !== undefined)?.error;
  if (fault !== undefined) throw new Error(`${fault}\n${query}`);
  return results.map(({ series = [] }) => {
    const [first] = series;
    const head = [...Object.keys(first?.tags ?? {}), ...(first?.columns ?? [])];
    const rows = series.flatMap(({ tags = {}, values }) =>
      values.map((row) => [...Object.values(tags), ...row].map(formatCell)),
    );
    return [head, ...rows];
  });
}

/** Runs Flux and drops its `result` and `table` columns. */
async function runFlux({ query }: ExampleQuery, { buckets, token }: Pick<TestBuckets, 'buckets' | 'token'>) {
  const { url, org } = testServers().influxdb;
  const testQuery = query.replace(
    /bucket: "(snapshots|daily)"/g,
    (_, kind: 'snapshots' | 'daily') => `bucket: "${buckets[kind]}"`,
  );
  const found = await new InfluxDB({ url, token }).getQueryApi(org).collectRows<Record<string, unknown>>(testQuery);
  const rows = found.map(({ result: _, table: __, ...row }) => row);
  return [[Object.keys(rows[0] ?? {}), ...rows.map((row) => Object.values(row).map(formatCell))]];
}

function formatCell(value: unknown): string {
  if (typeof value === 'number') return String(Math.round(value * PRECISION) / PRECISION);
  return typeof value === 'string' || typeof value === 'boolean' ? String(value) : '';
}
