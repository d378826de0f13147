import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { testServers } from '@lobbystats/test-kit';
import { analystTokens } from '../../services/provision/src/analyst-token/analyst-tokens.ts';
import type { TestBuckets } from '../../services/series-api/test/influx-buckets.ts';
import { askInflux } from './ask-influx.ts';
import { fillSampleHistory } from './sample-history.ts';
import { tablesIn, workedQuestions, type BucketKind } from './worked-questions.ts';

const document = readFileSync(join(import.meta.dirname, '../../docs/analysts.md'), 'utf8');
const questions = workedQuestions(document);

describe('docs/analysts.md', () => {
  let filled: TestBuckets;
  let place: Pick<TestBuckets, 'buckets' | 'token'>;
  beforeAll(async () => {
    filled = await fillSampleHistory();
    const { url, token: adminToken, org } = testServers().influxdb;
    const { buckets } = filled;
    const tokens = analystTokens({ url, adminToken, org, buckets: Object.values(buckets) });
    place = { buckets, token: await tokens.make(`reader.${buckets.daily}`) };
  }, 300_000);
  afterAll(async () => {
    await filled.remove();
  });

  it('works ten questions and more in InfluxQL, and two and more in Flux too', () => {
    const headings = (language: string) =>
      new Set(questions.filter((one) => one.language === language).map(({ heading }) => heading));
    expect(headings('influxql').size).toBeGreaterThanOrEqual(10);
    expect([...headings('flux')].filter((one) => headings('influxql').has(one)).length).toBeGreaterThanOrEqual(2);
  });

  it.each(questions)('prints what comes of $heading ($language)', async (question) => {
    expect(question.printed.flat().length).toBeGreaterThan(question.printed.length);
    expect(question.printed).toEqual(await askInflux(question, place));
  });

  it.each(['snapshots', 'daily'] as const)(
    'names every field and tag of the bucket %s, and no other',
    async (bucket) => {
      const stored = await keysIn(bucket);
      expect(describedIn(bucket)).toEqual(stored);
    },
  );

  async function keysIn(bucket: BucketKind): Promise<Record<string, string[]>> {
    const show = async (what: string) => {
      const search = new URLSearchParams({ db: place.buckets[bucket], q: `SHOW ${what} KEYS` });
      const headers = { authorization: `Token ${place.token}` };
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

/** Of each measurement that has a heading of its own, the first column of its table. */
function describedIn(bucket: BucketKind): Record<string, string[]> {
  const sections = document.split(/^### /m).slice(1);
  return Object.fromEntries(
    sections.flatMap((section) => {
      const name = /^`(\w+)` \((\w+)\)/.exec(section);
      if (name?.[2] !== bucket) return [];
      const [table = []] = tablesIn(section);
      const keys = table.slice(1).map(([key = '']) => key.replaceAll('`', ''));
      return [[name[1] ?? '', keys.sort()]];
    }),
  );
}
