import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';
import { readComposeFile } from '../stack/compose-files.ts';
import { metricNames } from '../observability/metric-names.ts';

const root = join(import.meta.dirname, '../../../..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const { settings, services } = z
  .object({
    settings: z.record(z.string(), z.union([z.string(), z.number()])),
    services: z.record(
      z.string(),
      z.looseObject({ autoscaling: z.looseObject({ metrics: z.record(z.string(), z.string()) }).optional() }),
    ),
  })
  .parse(parse(read('infra/helm/lobbystats/values.yaml')));

describe('settings of the chart', () => {
  const example = read('.env.example');
  const compose = readComposeFile('docker-compose.yml').text;
  // The values of services are compared in compose.charts.test.ts.
  it('are settings of .env.example', () => {
    const names = Object.keys(settings);
    expect(names.filter((name) => !new RegExp(`^#?${name}=`, 'm').test(example))).toEqual([]);
  });

  it('are all settings of services in docker-compose.yml', () => {
    const assigned = [...compose.matchAll(/^ +([A-Z_0-9]+): \$\{\1:-/gm)].map(([, name = '']) => name);
    // Settings of other containers, or secrets.
    const elsewhere = [
      ...['NODE_IMAGE', 'DISCORD_BOT_TOKEN', 'OTEL_EXPORTER_OTLP_HEADERS'],
      ...['ACME_DOMAINS', 'ACME_EMAIL', 'ACME_SERVER'],
    ];
    expect([...new Set(assigned)].filter((name) => !(name in settings) && !elsewhere.includes(name))).toEqual([]);
  });
});

describe('metrics for autoscaling', () => {
  const { rules } = z
    .object({
      rules: z.object({
        custom: z.array(
          z.object({ seriesQuery: z.string(), metricsQuery: z.string(), name: z.object({ as: z.string() }) }),
        ),
      }),
    })
    .parse(parse(read('infra/helm/prometheus-adapter.yaml')));
  const scaled = Object.values(services).flatMap(({ autoscaling }) => Object.keys(autoscaling?.metrics ?? {}));

  it('are those that the adapter serves', () => {
    expect(scaled.length).toBeGreaterThan(0);
    expect(rules.custom.map(({ name }) => name.as).sort()).toEqual(scaled.sort());
  });

  it.each(rules.custom.map((rule) => [rule.name.as, rule] as const))(
    '%s is computed from metrics of services',
    (_name, rule) => {
      const sources = globSync('{packages,services}/*/src/**/*.ts', { cwd: root }).map(read).join('\n');
      const declared = [...sources.matchAll(/metrics\.(?:counter|gauge|histogram)\(\s*'(\w+)'/g)];
      const families = new Set(declared.map(([, name]) => `lobbystats_${name}`));
      // The adapter's placeholders are no PromQL.
      const query = rule.metricsQuery.replaceAll('<<.LabelMatchers>>', '').replaceAll('<<.GroupBy>>', 'pod');
      const names = metricNames(query).map((name) => name.replace(/_(count|sum)$/, ''));
      expect(names.length).toBeGreaterThan(0);
      expect(names.filter((name) => !families.has(name))).toEqual([]);
      expect(rule.metricsQuery).toContain(rule.seriesQuery.split('{')[0]);
    },
  );
});
