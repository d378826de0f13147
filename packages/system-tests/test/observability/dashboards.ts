import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

const folder = join(import.meta.dirname, '../../../../infra/grafana/dashboards');

const PROMETHEUS = z.strictObject({ type: z.literal('prometheus'), uid: z.literal('${prometheus}') });
const INFLUXDB = z.strictObject({
  type: z.literal('influxdb'),
  uid: z.enum(['${snapshots}', '${daily}']),
});
const datasource = z.discriminatedUnion('type', [PROMETHEUS, INFLUXDB]);
const refId = z.string().regex(/^[A-Z]$/);

const promTarget = z.strictObject({
  refId,
  datasource: PROMETHEUS,
  expr: z.string().min(1),
  legendFormat: z.string().min(1),
  instant: z.literal(true).optional(),
  format: z.literal('table').optional(),
});
const influxTarget = z.strictObject({
  refId,
  datasource: INFLUXDB,
  rawQuery: z.literal(true),
  query: z.string().startsWith('SELECT '),
  resultFormat: z.enum(['time_series', 'table']),
  alias: z.string().optional(),
});

const panel = z.strictObject({
  id: z.int().positive(),
  title: z.string().min(1),
  description: z.string().optional(),
  type: z.enum(['timeseries', 'stat', 'table']),
  datasource,
  /** A row has 24 columns. */
  gridPos: z
    .strictObject({ x: z.int().min(0), y: z.int().min(0), w: z.int().min(1), h: z.int().min(1) })
    .refine(({ x, w }) => x + w <= 24),
  targets: z.array(z.union([promTarget, influxTarget])).min(1),
  interval: z.string().optional(),
  timeFrom: z.string().optional(),
  options: z.record(z.string(), z.unknown()),
  fieldConfig: z.strictObject({
    defaults: z.strictObject({
      /** Grafana's own names of units. */
      unit: z.enum(['short', 's', 'bytes', 'percentunit', 'reqps', 'ops']),
      min: z.number().optional(),
      custom: z.record(z.string(), z.unknown()).optional(),
    }),
    overrides: z.array(z.never()),
  }),
});

/** A data source, by default that of infra/grafana/provisioning: a dashboard is of use in another Grafana, too. */
const sourceVariable = z.strictObject({
  name: z.enum(['prometheus', 'snapshots', 'daily']),
  label: z.string(),
  type: z.literal('datasource'),
  query: z.enum(['prometheus', 'influxdb']),
  current: z.strictObject({ text: z.string(), value: z.string() }),
  refresh: z.literal(1),
  multi: z.literal(false),
  includeAll: z.literal(false),
});

const queryVariable = z.strictObject({
  name: z.string(),
  label: z.string(),
  type: z.literal('query'),
  datasource: INFLUXDB,
  query: z.string().startsWith('SHOW TAG VALUES '),
  refresh: z.union([z.literal(1), z.literal(2)]),
  sort: z.int(),
  multi: z.literal(false),
  includeAll: z.literal(false),
});

/** The part of the Grafana classic dashboard model that is used here: https://grafana.com/docs/grafana/latest/visualizations/dashboards/build-dashboards/view-dashboard-json-model/ */
const dashboard = z.strictObject({
  uid: z.string().regex(/^[a-z-]{1,40}$/),
  title: z.string().min(1),
  description: z.string().min(1),
  tags: z.array(z.string()),
  schemaVersion: z.literal(39),
  version: z.int(),
  editable: z.literal(false),
  timezone: z.literal('utc'),
  refresh: z.string(),
  time: z.strictObject({ from: z.string().startsWith('now-'), to: z.literal('now') }),
  templating: z.strictObject({ list: z.array(z.discriminatedUnion('type', [sourceVariable, queryVariable])) }),
  annotations: z.strictObject({ list: z.array(z.never()) }),
  links: z.array(z.looseObject({ type: z.literal('dashboards'), tags: z.array(z.string()) })),
  panels: z.array(panel).min(1),
});

type Dashboard = z.output<typeof dashboard>;
type Panel = Dashboard['panels'][number];
type Target = Panel['targets'][number];

/** All dashboards, by file name without extension. @throws ZodError for an invalid dashboard */
function dashboards(): { file: string; dashboard: Dashboard }[] {
  return readdirSync(folder).map((file) => ({
    file: file.replace(/[.]json$/, ''),
    dashboard: dashboard.parse(JSON.parse(readFileSync(join(folder, file), 'utf8'))),
  }));
}

/** All panel queries with a descriptive name. */
export function panelQueries(): { name: string; target: Target }[] {
  return dashboards().flatMap(({ dashboard: { title, panels } }) =>
    panels.flatMap((one) => one.targets.map((target) => ({ name: `${title}, ${one.title}, ${target.refId}`, target }))),
  );
}
