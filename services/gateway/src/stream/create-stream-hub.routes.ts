import type { Metrics } from '@lobbystats/service-kit';
import { StreamHub, type StreamMetrics } from './stream-hub.ts';

const RETRY_MS = { min: 1000, max: 5000 };

export function createStreamHub(metrics: Metrics): StreamHub {
  return new StreamHub({
    metrics: streamMetrics(metrics),
    retryMs: () => Math.round(RETRY_MS.min + Math.random() * (RETRY_MS.max - RETRY_MS.min)),
  });
}

function streamMetrics(metrics: Metrics): StreamMetrics {
  return {
    readers: metrics.gauge('stream_readers', 'Readers of the live stream'),
    events: metrics.counter('stream_events_total', 'Events of the live stream, by topic', ['topic']),
    resumed: metrics.counter('stream_resumed_total', 'Reconnected readers, by result', ['result']),
    dropped: metrics.counter('stream_readers_dropped_total', 'Readers dropped because they were too slow'),
  };
}
