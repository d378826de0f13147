import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';

const infra = join(import.meta.dirname, '../../../../infra');

/** The parts of a rules file that Prometheus reads: https://prometheus.io/docs/prometheus/latest/configuration/alerting_rules/ */
const alert = z.strictObject({
  alert: z.string().regex(/^[A-Z][A-Za-z]+$/),
  expr: z.string(),
  for: z.string().optional(),
  labels: z.strictObject({ severity: z.enum(['page', 'ticket']) }),
  annotations: z.strictObject({ summary: z.string(), runbook_url: z.string() }),
});
const recording = z.strictObject({ record: z.string(), expr: z.string() });
const rulesFile = z.strictObject({
  groups: z.array(z.strictObject({ name: z.string(), rules: z.array(z.union([alert, recording])) })),
});
const testsFile = z.looseObject({
  tests: z.array(
    z.looseObject({
      alert_rule_test: z.array(z.looseObject({ alertname: z.string(), exp_alerts: z.array(z.unknown()) })),
    }),
  ),
});

type Alert = z.output<typeof alert>;

/** All rules of infra/prometheus/rules, by file name without extension. */
export function ruleFiles(): { name: string; rules: z.output<typeof rulesFile>['groups'][number]['rules'] }[] {
  return readdirSync(join(infra, 'prometheus/rules')).map((file) => ({
    name: file.replace(/[.]yml$/, ''),
    rules: rulesFile.parse(read('prometheus/rules', file)).groups.flatMap(({ rules }) => rules),
  }));
}

/** Every alert. */
export function alerts(): Alert[] {
  return ruleFiles().flatMap(({ rules }) => rules.filter((rule) => 'alert' in rule));
}

/** Alerts with a unit test in which they fire, and with one in which they do not. */
export function testedAlerts(): { fire: Set<string>; keepQuiet: Set<string> } {
  const tests = readdirSync(join(infra, 'prometheus/tests'))
    .flatMap((file) => testsFile.parse(read('prometheus/tests', file)).tests)
    .flatMap((test) => test.alert_rule_test);
  const named = (fires: boolean) =>
    new Set(tests.filter((test) => test.exp_alerts.length > 0 === fires).map((test) => test.alertname));
  return { fire: named(true), keepQuiet: named(false) };
}

function read(folder: string, file: string): unknown {
  return parse(readFileSync(join(infra, folder, file), 'utf8'));
}
