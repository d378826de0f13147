import { InfluxDB } from '@influxdata/influxdb-client';
import { testServers } from '@lobbystats/test-kit';
import type { TestBuckets } from '../../services/series-api/test/influx-buckets.ts';
import type { Tables, WorkedQuestion } from './worked-questions.ts';

/** Numbers are shown to so many decimals. */
const PRECISION = 1000;

/** Asks a question of the document, of two buckets that stand for those of the same kind, with a token that can read them. */
export async function askInflux(
  question: WorkedQuestion,
  place: Pick<TestBuckets, 'buckets' | 'token'>,
): Promise<Tables> {
  return question.language === 'flux' ? askFlux(question, place) : askInfluxQl(question, place);
}

interface Answer {
  error?: string;
  results?: { error?: string; series?: { tags?: object; columns: string[]; values: unknown[][] }[] }[];
}

async function askInfluxQl(
  { query, bucket }: WorkedQuestion,
  { buckets, token }: Pick<TestBuckets, 'buckets' | 'token'>,
) {
  const search = new URLSearchParams({ db: buckets[bucket], q: query });
  const headers = { authorization: `Token ${token}` };
  const answer = await fetch(`${testServers().influxdb.url}/query?${search.toString()}`, { headers });
  const { results = [], error } = (await answer.json()) as Answer;
  const fault = error ?? results.find((result) => result.error !== undefined)?.error;
  if (fault !== undefined) throw new Error(`${fault}\n${query}`);
  return results.map(({ series = [] }) => {
    const [first] = series;
    const head = [...Object.keys(first?.tags ?? {}), ...(first?.columns ?? [])];
    const rows = series.flatMap(({ tags = {}, values }) =>
      values.map((row) => [...Object.values(tags), ...row].map(shown)),
    );
    return [head, ...rows];
  });
}

/** Flux comes with two columns of its own, which say nothing here. */
async function askFlux({ query }: WorkedQuestion, { buckets, token }: Pick<TestBuckets, 'buckets' | 'token'>) {
  const { url, org } = testServers().influxdb;
  const ours = query.replace(
    /bucket: "(snapshots|daily)"/g,
    (_, kind: 'snapshots' | 'daily') => `bucket: "${buckets[kind]}"`,
  );
  const found = await new InfluxDB({ url, token }).getQueryApi(org).collectRows<Record<string, unknown>>(ours);
  const rows = found.map(({ result: _, table: __, ...row }) => row);
  return [[Object.keys(rows[0] ?? {}), ...rows.map((row) => Object.values(row).map(shown))]];
}

function shown(value: unknown): string {
  if (typeof value === 'number') return String(Math.round(value * PRECISION) / PRECISION);
  return typeof value === 'string' || typeof value === 'boolean' ? String(value) : '';
}
