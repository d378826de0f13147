import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { eventually, testServers } from '@lobbystats/test-kit';
import { analystTokens } from '@lobbystats/cli/analyst-tokens';
import type { TestBuckets } from '@lobbystats/series-api/influx-buckets';
import { runExampleQuery } from './run-example-query.ts';
import { fillSampleHistory } from './sample-history.ts';
import { parseTables, parseExampleQueries, type BucketKind } from './example-queries.ts';

const document = readFileSync(join(import.meta.dirname, '../../../../docs/analysts.md'), 'utf8');
const exampleQueries = parseExampleQueries(document);

describe('docs/analysts.md', () => {
  let filled: TestBuckets;
  let readAccess: Pick<TestBuckets, 'buckets' | 'token'>;
  beforeAll(async () => {
    filled = await fillSampleHistory();
    const { url, token: adminToken, org } = testServers().influxdb;
    const { buckets } = filled;
    const tokens = analystTokens({ url, adminToken, org, buckets: Object.values(buckets) });
    readAccess = { buckets, token: await tokens.create(`reader.${buckets.daily}`) };
  });
  afterAll(async () => {
    await filled.remove();
  });

  it('has at least five examples in InfluxQL, one of them in Flux too', () => {
    const headings = (language: string) =>
      new Set(exampleQueries.filter((one) => one.language === language).map(({ heading }) => heading));
    expect(headings('influxql').size).toBeGreaterThanOrEqual(5);
    expect([...headings('flux')].filter((one) => headings('influxql').has(one)).length).toBeGreaterThanOrEqual(1);
  });

  it.each(exampleQueries)('prints the actual result of $heading ($language)', async (question) => {
    expect(question.printedTables.flat().length).toBeGreaterThan(question.printedTables.length);
    // Once on a busy machine, InfluxDB answered with means of a part of the points that it had confirmed before.
    await eventually(async () => expect(question.printedTables).toEqual(await runExampleQuery(question, readAccess)));
  });

  it.each(['snapshots', 'daily'] as const)('documents exactly the fields and tags of the bucket %s', async (bucket) => {
    const stored = await keysIn(bucket);
    expect(documentedKeys(bucket)).toEqual(stored);
  });

  async function keysIn(bucket: BucketKind): Promise<Record<string, string[]>> {
    const show = async (what: string) => {
      const search = new URLSearchParams({ db: readAccess.buckets[bucket], q: `SHOW ${what} KEYS` });
      const headers = { authorization: `Token ${readAccess.token}` };
      const answer = await fetch(`${testServers().influxdb.url}/query?${search.toString()}`, { headers });
      const { results } = (await answer.json()) as { results: { series?: { name: string; values: string[][] }[] }[] };
      return results[0]?.series ?? [];
    };
    const keys: Record<string, string[]> = {};
    for (const { name, values } of [...(await show('FIELD')), ...(await show('TAG'))]) {
      keys[name] = [...(keys[name] ?? []), ...values.map(([key = '']) => key)].sort();
    }
    return keys;
  }
});

/** Documented keys of each measurement. A row without a key names the measurement of the rows below it. */
function documentedKeys(bucket: BucketKind): Record<string, string[]> {
  const section = document.split(/^### /m).find((text) => text.startsWith(`The bucket \`${bucket}\``));
  const keys: Record<string, string[]> = {};
  let ofMeasurement: string[] = [];
  for (const row of parseTables(section ?? '')[0]?.slice(1) ?? []) {
    const [measurement = '', key = ''] = row.map((cell) => cell.replaceAll('`', ''));
    if (measurement !== '') keys[measurement] = ofMeasurement = [];
    if (key !== '') ofMeasurement.push(key);
  }
  for (const list of Object.values(keys)) list.sort();
  return keys;
}
