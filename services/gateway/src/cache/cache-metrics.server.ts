import type { Metrics } from '@lobbystats/service-kit';
import type { CacheMetrics, CacheOutcome } from './response-cache.ts';

/** Hits are counted in memory and reported when metrics are read. */
export function cacheMetrics(metrics: Metrics): CacheMetrics {
  const counts = new Map<string, Map<CacheOutcome, number>>();
  metrics.counter('cache_requests_total', 'Cacheable requests, by outcome', ['operation', 'outcome'], (counter) => {
    for (const [operation, ofOperation] of counts) {
      for (const [outcome, count] of ofOperation) counter.inc({ operation, outcome }, count);
    }
    counts.clear();
  });
  const evictions = metrics.counter('cache_evictions_total', 'Cache entries evicted to make room');
  const bytesGauge = metrics.gauge('cache_bytes', 'Memory of cache entries, in bytes');
  const entriesGauge = metrics.gauge('cache_entries', 'Number of cache entries');
  return {
    countServed: (operation, outcome) => {
      const ofOperation = counts.get(operation) ?? new Map<CacheOutcome, number>();
      if (ofOperation.size === 0) counts.set(operation, ofOperation);
      ofOperation.set(outcome, (ofOperation.get(outcome) ?? 0) + 1);
    },
    countEviction: () => evictions.inc(),
    setSize: (bytes, answers) => {
      bytesGauge.set(bytes);
      entriesGauge.set(answers);
    },
  };
}
