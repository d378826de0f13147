import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { chartTools } from '@lobbystats/test-kit';
import { parseAllDocuments } from 'yaml';
import { z } from 'zod';

const REPOSITORY = join(import.meta.dirname, '../../../..');

export const CHARTS = ['lobbystats', 'lobbystats-servers'] as const;
type Chart = (typeof CHARTS)[number];

const chartDirectory = (chart: Chart): string => join(REPOSITORY, 'infra/helm', chart);

const kubernetesObject = z.looseObject({
  apiVersion: z.string(),
  kind: z.string(),
  metadata: z.looseObject({
    name: z.string(),
    labels: z.record(z.string(), z.string()).default({}),
    annotations: z.record(z.string(), z.string()).default({}),
  }),
});
export type KubernetesObject = z.output<typeof kubernetesObject>;

type Values = Readonly<Record<string, unknown>>;

/** Runs Helm with values as YAML on its standard input. @returns its output. @throws Error with its messages */
export function helm(command: readonly string[], chart: Chart, values: Values = {}): string {
  return helmOn(command, chartDirectory(chart), values);
}

function helmOn(command: readonly string[], path: string, values: Values): string {
  return execFileSync(chartTools.helm, [...command, path, '--values', '-'], {
    input: JSON.stringify(values),
    encoding: 'utf8',
    stdio: 'pipe',
    // The output of a failure is its error's message.
    maxBuffer: 16 * 1024 * 1024,
  });
}

/** All objects of a release named lobbystats. @throws Error with Helm's messages when the values are invalid */
export function renderChart(chart: Chart, values: Values = {}, kubernetes = '1.37.0'): KubernetesObject[] {
  return render(chartDirectory(chart), values, kubernetes);
}

/** The same, of a packed chart. */
export function renderArchive(path: string, values: Values): KubernetesObject[] {
  return render(path, values, '1.37.0');
}

function render(path: string, values: Values, kubernetes: string): KubernetesObject[] {
  const text = helmOn(['template', 'lobbystats', '--namespace', 'stats', '--kube-version', kubernetes], path, values);
  return parseAllDocuments(text)
    .map((document) => {
      const [error] = document.errors;
      if (error !== undefined) throw error;
      return document.toJS() as unknown;
    })
    .filter((object) => object !== null)
    .map((object) => kubernetesObject.parse(object));
}

export const RUNBOOKS = 'https://git.example/lobbystats/docs/runbooks.md';

/** Every optional part of the charts. */
export const everything: Readonly<Record<Chart, Values>> = {
  lobbystats: {
    settings: { PUBLIC_URL: 'https://stats.example.org' },
    export: { enabled: true },
    backups: { size: '10Gi' },
    tls: { secretName: 'public-tls' },
    analysts: { tls: { secretName: 'analysts-tls' } },
    ingress: { enabled: true, host: 'stats.example.org', tlsSecretName: 'public-tls' },
    monitoring: {
      serviceMonitor: { enabled: true },
      rules: { enabled: true, runbooks: RUNBOOKS },
      dashboards: { enabled: true },
    },
    services: { gateway: { autoscaling: { enabled: true } }, collector: { autoscaling: { enabled: true } } },
    networkPolicy: { traces: { to: [{ namespaceSelector: { matchLabels: { app: 'tracing' } } }] } },
  },
  'lobbystats-servers': { networkPolicy: { clients: ['stats'] } },
};
