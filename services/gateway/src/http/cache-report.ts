import type { Metrics } from '@lobbystats/service-kit';
import type { CacheReport, Outcome } from '../domain/cache/response-cache.ts';

/** Hits are counted in memory and reported when metrics are read. */
export function cacheReport(metrics: Metrics): CacheReport {
  const counts = new Map<string, Map<Outcome, number>>();
  metrics.counter(
    'cache_requests_total',
    'Requests for what can be kept, by how they were answered',
    ['operation', 'outcome'],
    (counter) => {
      for (const [operation, ofOperation] of counts) {
        for (const [outcome, count] of ofOperation) counter.inc({ operation, outcome }, count);
      }
      counts.clear();
    },
  );
  const evictions = metrics.counter('cache_evictions_total', 'Answers that made room for others');
  const bytesKept = metrics.gauge('cache_bytes', 'Memory that kept answers take');
  const answersKept = metrics.gauge('cache_answers', 'Answers that are kept');
  return {
    served: (operation, outcome) => {
      const ofOperation = counts.get(operation) ?? new Map<Outcome, number>();
      if (ofOperation.size === 0) counts.set(operation, ofOperation);
      ofOperation.set(outcome, (ofOperation.get(outcome) ?? 0) + 1);
    },
    evicted: () => evictions.inc(),
    sized: (bytes, answers) => {
      bytesKept.set(bytes);
      answersKept.set(answers);
    },
  };
}
