import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';
import { dashboards, type Panel } from './dashboards.ts';
import { readComposeFile } from '../stack/compose-files.ts';

const provisioning = join(import.meta.dirname, '../../../../infra/grafana/provisioning');
const readProvisioning = (file: string): unknown => parse(readFileSync(join(provisioning, file), 'utf8'));

/** https://grafana.com/docs/grafana/latest/administration/provisioning/#data-sources */
const common = { name: z.string(), access: z.literal('proxy'), editable: z.literal(false) };
const prometheus = z.strictObject({
  ...common,
  uid: z.literal('prometheus'),
  type: z.literal('prometheus'),
  url: z.literal('http://prometheus:9090'),
  isDefault: z.literal(true),
  jsonData: z.strictObject({ httpMethod: z.enum(['GET', 'POST']), timeInterval: z.string() }),
});
/** https://grafana.com/docs/grafana/latest/datasources/influxdb/configure/ */
const influxdb = z.strictObject({
  ...common,
  uid: z.enum(['influxdb-snapshots', 'influxdb-daily']),
  type: z.literal('influxdb'),
  url: z.literal('http://influxdb:8086'),
  jsonData: z.strictObject({
    version: z.literal('InfluxQL'),
    dbName: z.enum(['snapshots', 'daily']),
    httpMode: z.enum(['GET', 'POST']),
    httpHeaderName1: z.literal('Authorization'),
  }),
  secureJsonData: z.strictObject({ httpHeaderValue1: z.string().regex(/^Token \$__file\{\/[\w./-]+\}$/) }),
});
const datasources = z.strictObject({
  apiVersion: z.literal(1),
  datasources: z.array(z.discriminatedUnion('type', [prometheus, influxdb])),
});
/** https://grafana.com/docs/grafana/latest/administration/provisioning/#dashboards */
const providers = z.strictObject({
  apiVersion: z.literal(1),
  providers: z.array(
    z.strictObject({
      name: z.string(),
      orgId: z.literal(1),
      folder: z.string(),
      type: z.literal('file'),
      allowUiUpdates: z.boolean(),
      disableDeletion: z.boolean(),
      updateIntervalSeconds: z.int().min(10),
      options: z.strictObject({ path: z.string().startsWith('/') }),
    }),
  ),
});

const overlap = ({ gridPos: a }: Panel, { gridPos: b }: Panel): boolean =>
  a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h;

describe('Grafana provisioning', () => {
  const sources = datasources.parse(readProvisioning('datasources/lobbystats.yml')).datasources;

  it('has exactly the data sources that panels use', () => {
    const defaults = dashboards().flatMap(({ dashboard }) =>
      dashboard.templating.list.flatMap((one) =>
        one.type === 'datasource' ? [{ type: one.query, ...one.current }] : [],
      ),
    );
    const named = [...new Map(defaults.map((one) => [one.value, one])).values()];
    const known = sources.map(({ type, name, uid }) => ({ type, text: name, value: uid }));
    expect(named.sort((a, b) => (a.value < b.value ? -1 : 1))).toEqual(
      known.sort((a, b) => (a.value < b.value ? -1 : 1)),
    );
  });

  it('uses the dashboard and token paths that docker-compose.yml mounts', () => {
    const { services } = z
      .looseObject({ services: z.looseObject({ grafana: z.looseObject({ volumes: z.array(z.string()) }) }) })
      .parse(readComposeFile().content);
    const mounted = services.grafana.volumes.map((volume) => String(volume.split(':')[1]));
    const { options } = providers.parse(readProvisioning('dashboards/lobbystats.yml')).providers[0] ?? {};
    const token = sources.flatMap((source) =>
      source.type === 'influxdb' ? [/\{(.+)\/[^/]+\}/.exec(source.secureJsonData.httpHeaderValue1)?.[1]] : [],
    );
    expect(mounted).toEqual(expect.arrayContaining([options?.path, ...token, '/etc/grafana/provisioning']));
  });
});

describe.each(dashboards())('dashboard $file', ({ file, dashboard }) => {
  it('has a uid of its file name and the common tag', () => {
    expect(dashboard.uid).toBe(`lobbystats-${file}`);
    expect(dashboard.tags).toContain('lobbystats');
  });

  it('has panels that do not overlap, with unique ids and query letters', () => {
    const { panels } = dashboard;
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
    expect(panels.flatMap((one, at) => panels.slice(at + 1).filter((other) => overlap(one, other)))).toEqual([]);
    const letters = panels.map(({ targets }) => new Set(targets.map(({ refId }) => refId)).size);
    expect(letters).toEqual(panels.map(({ targets }) => targets.length));
  });

  it('has a variable for each data source of its panels, and no other', () => {
    const used = new Set(dashboard.panels.map((panel) => panel.datasource.uid));
    const variables = dashboard.templating.list.filter(({ type }) => type === 'datasource');
    expect(variables.map(({ name }) => `\${${name}}`).sort()).toEqual([...used].sort());
  });

  it('runs each query on the data source of its panel', () => {
    const strays = dashboard.panels.filter((panel) =>
      panel.targets.some((target) => target.datasource.uid !== panel.datasource.uid),
    );
    expect(strays).toEqual([]);
  });
});
