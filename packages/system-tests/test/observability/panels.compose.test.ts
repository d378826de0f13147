import { eventually } from '@lobbystats/test-kit';
import { z } from 'zod';
import { compose, publishedUrl } from '../compose/stack.ts';
import { alerts, ruleFiles } from './alerts.ts';
import { panelQueries } from './dashboards.ts';

/** PromQL keywords that look like metric names. */
const PROMQL_KEYWORDS = new Set([
  'and',
  'or',
  'unless',
  'offset',
  'bool',
  'on',
  'ignoring',
  'group_left',
  'group_right',
  'inf',
  'nan',
]);
const GROUPING = /\b(?:by|without|on|ignoring|group_left|group_right)\s*\([^)]*\)/g;
const LABELS_AND_RANGES = /\{[^}]*\}|\[[^\]]*\]/g;
const COMMENTS = /#.*/g;
const STRINGS = /"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'/g;
const METRIC_NAME = /(?<![\w:.])[a-zA-Z_:][\w:]*\b(?!\s*\()/g;
/** Suffixes of histogram and summary samples. */
const SAMPLE_SUFFIX = /_(?:bucket|sum|count)$/;

/** Metric names in a PromQL expression, except those matched by patterns. */
function metricNames(expression: string): string[] {
  const bare = expression
    .replace(COMMENTS, '')
    .replace(STRINGS, '')
    .replace(GROUPING, '')
    .replace(LABELS_AND_RANGES, '');
  const names = [...bare.matchAll(METRIC_NAME)].map(([name]) => name);
  return [...new Set(names.filter((name) => !PROMQL_KEYWORDS.has(name)))];
}

/** Names without a metric family. */
function unknownMetrics(names: readonly string[], families: ReadonlySet<string>): string[] {
  return names.filter((name) => !families.has(name) && !families.has(name.replace(SAMPLE_SUFFIX, '')));
}

const TOKEN_FILE = '/var/lib/lobbystats/tokens/grafana/influxdb';
const targets = z.object({
  data: z.object({
    activeTargets: z.array(
      z.object({ labels: z.record(z.string(), z.string()), health: z.string(), lastError: z.string() }),
    ),
  }),
});
const flags = z.object({ data: z.record(z.string(), z.string()) });
const metadata = z.object({ data: z.record(z.string(), z.unknown()) });
const queryResponse = z.object({ status: z.string(), error: z.string().optional() });
const influxResponse = z.object({
  results: z.array(
    z.object({
      error: z.string().optional(),
      series: z.array(z.object({ values: z.array(z.array(z.unknown())) })).optional(),
    }),
  ),
});

let prometheus: string;
let influxdb: string;
let token: string;

const withPrometheus = (...args: string[]) => compose('--profile', 'observability', ...args);

async function promQL(expr: string): Promise<z.output<typeof queryResponse>> {
  const body = new URLSearchParams({ query: expr });
  return queryResponse.parse(await (await fetch(new URL('api/v1/query', prometheus), { method: 'POST', body })).json());
}

async function influxQL(db: string, q: string): Promise<unknown[][]> {
  const url = new URL(`query?${new URLSearchParams({ db, q, epoch: 's' }).toString()}`, influxdb);
  const answer = await fetch(url, { headers: { authorization: `Token ${token}` } });
  const { results } = influxResponse.parse(await answer.json());
  expect(results.map(({ error }) => error)).toEqual([undefined]);
  return (results[0]?.series ?? []).flatMap(({ values }) => values);
}

beforeAll(async () => {
  await compose('up', '-d', '--wait', '--no-recreate');
  await withPrometheus('up', '-d', '--wait', '--no-build', '--no-deps', 'prometheus');
  prometheus = `${await publishedUrl('prometheus', 9090)}/`;
  influxdb = `${await publishedUrl('influxdb', 8086)}/`;
  token = await compose('run', '--rm', '-T', '--no-deps', 'init', 'cat', TOKEN_FILE);
});

afterAll(async () => {
  await withPrometheus('rm', '-sf', 'prometheus');
});

describe('Prometheus of the stack', () => {
  const allTargets = async () =>
    targets.parse(await (await fetch(new URL('api/v1/targets', prometheus))).json()).data.activeTargets;

  it('scrapes every service, InfluxDB and RabbitMQ', async () => {
    await eventually(
      async () => {
        const seen = (await allTargets()).map(
          ({ labels, health }) => `${labels['service'] ?? labels['job']} ${health}`,
        );
        const services = ['catalog-api', 'collector', 'gateway', 'reputation-api', 'series-api', 'user-api'];
        const others = ['influxdb', 'nginx', 'prometheus', 'rabbitmq', 'rabbitmq-queues'];
        expect([...new Set(seen)].sort()).toEqual([...services, ...others].map((name) => `${name} up`).sort());
      },
      { everyMs: 1000 },
    );
  });

  it('serves the runbook that each alert links to, at an absolute address', async () => {
    const { data } = flags.parse(await (await fetch(new URL('api/v1/status/flags', prometheus))).json());
    expect(`${data['web.external-url']}/`).toBe(prometheus);
    const page = await (await fetch(new URL('consoles/runbooks.html', prometheus))).text();
    expect(alerts().filter(({ alert }) => !page.includes(`id="${alert.toLowerCase()}"`))).toEqual([]);
    expect(page).toContain("-f '{{.State.OOMKilled}}'");
  });

  it('accepts every panel query, and each uses existing metrics only', async () => {
    const { data } = metadata.parse(await (await fetch(new URL('api/v1/metadata', prometheus))).json());
    const recorded = ruleFiles().flatMap(({ rules }) =>
      rules.flatMap((rule) => ('record' in rule ? [rule.record] : [])),
    );
    const families = new Set([...Object.keys(data), ...recorded, 'up']);
    const expressions = [
      ...panelQueries().flatMap(({ name, target }) => ('expr' in target ? [{ name, expr: target.expr }] : [])),
      ...alerts().map(({ alert, expr }) => ({ name: alert, expr })),
    ];
    for (const { name, expr } of expressions) {
      expect([name, await promQL(expr)]).toEqual([name, { status: 'success' }]);
      expect([name, ...unknownMetrics(metricNames(expr), families)]).toEqual([name]);
    }
  });
});

describe('InfluxDB of the stack', () => {
  const DB = { '${snapshots}': 'snapshots', '${daily}': 'daily' } as const;
  const asGrafanaAsks = (query: string, title: string) =>
    query.replaceAll('$timeFilter', 'time >= now() - 30d').replaceAll('$__interval', '5m').replaceAll('$title', title);

  it('returns rows for every panel query with the Grafana token', async () => {
    const [top] = await influxQL(
      'snapshots',
      'SELECT top("players", "titleId", 1) FROM "title" WHERE time > now() - 30d',
    );
    const title = String(top?.[2]);
    for (const { name, target } of panelQueries()) {
      if ('expr' in target) continue;
      const rows = await influxQL(DB[target.datasource.uid], asGrafanaAsks(target.query, title));
      expect([name, rows.length > 0]).toEqual([name, true]);
    }
  });

  it('rejects writes with the Grafana token', async () => {
    const url = new URL('api/v2/write?org=lobbystats&bucket=snapshots', influxdb);
    const headers = { authorization: `Token ${token}` };
    expect((await fetch(url, { method: 'POST', headers, body: 'intruder value=1' })).status).toBe(403);
  });
});
