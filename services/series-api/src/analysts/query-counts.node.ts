import type { Metrics } from '@lobbystats/service-kit';

/** How a query ended, and how long it ran. */
export type CountQuery = (outcome: 'answered' | 'failed' | 'disconnected' | 'rejected', ms?: number) => void;

export function queryMetrics(metrics: Metrics): CountQuery {
  const queries = metrics.counter('queries_total', 'Queries to InfluxDB', ['outcome']);
  const seconds = metrics.counter('query_seconds_total', 'Seconds in which a query was running');
  return (outcome, ms = 0) => {
    queries.inc({ outcome });
    seconds.inc(ms / 1000);
  };
}
