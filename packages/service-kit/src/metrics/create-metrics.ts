import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import { readVersion } from '../process/release.ts';

export interface Metrics {
  readonly registry: Registry;
  /** @param collect called before each scrape, to add what was counted elsewhere */
  counter(name: string, help: string, labels?: readonly string[], collect?: (counter: Counter) => void): Counter;
  /** @param collect called before each scrape, to set values that change by themselves */
  gauge(name: string, help: string, labels?: readonly string[], collect?: (gauge: Gauge) => void): Gauge;
  /** @param buckets ascending upper bounds; default: 1 ms to 10 s, in seconds */
  histogram(name: string, help: string, labels?: readonly string[], buckets?: readonly number[]): Histogram;
}

const DURATION_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

export function createMetrics(service: string): Metrics {
  const registry = new Registry();
  registry.setDefaultLabels({ service });
  const common = (name: string, help: string, labels: readonly string[]) => ({
    name: `lobbystats_${name}`,
    help,
    labelNames: [...labels],
    registers: [registry],
  });
  new Gauge({
    ...common('build_info', 'Always 1: the release, and the version of Node', ['version', 'node_version']),
  }).set({ version: readVersion(), node_version: process.versions.node }, 1);
  return {
    registry,
    counter: (name, help, labels = [], collect) =>
      new Counter({
        ...common(name, help, labels),
        ...(collect && {
          collect() {
            collect(this);
          },
        }),
      }),
    gauge: (name, help, labels = [], collect) =>
      new Gauge({
        ...common(name, help, labels),
        ...(collect && {
          collect() {
            collect(this);
          },
        }),
      }),
    histogram: (name, help, labels = [], buckets = DURATION_SECONDS) =>
      new Histogram({ ...common(name, help, labels), buckets: [...buckets] }),
  };
}
