import type { Metrics } from '@lobbystats/service-kit';
import type { ResponseCache } from './response-cache.ts';

/** Reads the counts of the cache before each scrape. */
export function cacheMetrics(metrics: Metrics, cache: ResponseCache): void {
  // Registered before the gauges, and so collected before they are read.
  metrics.counter('cache_requests_total', 'Cacheable requests, by outcome', ['operation', 'outcome'], (counter) => {
    counter.reset();
    for (const [operation, counts] of cache.served) {
      for (const [outcome, count] of counts) counter.inc({ operation, outcome }, count);
    }
    bytes.set(cache.size.bytes);
    entries.set(cache.size.entries);
  });
  metrics.counter('cache_evictions_total', 'Cache entries evicted to make room', [], (counter) => {
    counter.reset();
    counter.inc(cache.size.evictions);
  });
  const bytes = metrics.gauge('cache_bytes', 'Memory of cache entries, in bytes');
  const entries = metrics.gauge('cache_entries', 'Number of cache entries');
}
