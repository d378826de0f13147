import { setImmediate } from 'node:timers';
import { setTimeout as pause } from 'node:timers/promises';
import { STREAM_RESUMABLE_EVENTS } from '@lobbystats/contracts';
import type { MessageBus } from '@lobbystats/message-bus';
import type { Metrics } from '@lobbystats/service-kit';
import type { BacklogLimits } from '../domain/stream/backlog.ts';
import { StreamHub, type StreamWatch } from '../domain/stream/stream-hub.ts';
import type { TitleDirectory } from '../domain/title-directory.ts';
import { logHistory } from './stream-history.ts';

export interface StreamParts {
  bus: MessageBus;
  directory: TitleDirectory;
  metrics: Metrics;
  /** How much of the stream is kept for those who come back. */
  limits?: BacklogLimits;
}

/** Four slots of a large network, and what an hour of board changes may bring. */
const LIMITS: BacklogLimits = {
  minEvents: STREAM_RESUMABLE_EVENTS,
  maxEvents: 10_000,
  maxBytes: 8 * 1024 * 1024,
};
const RETRY_MS = { min: 1000, max: 5000 };

/** The live stream of a gateway: the facts are said to it by who follows the log, the past it reads by itself. */
export function createStreamHub({ bus, directory, metrics, limits = LIMITS }: StreamParts): StreamHub {
  return new StreamHub({
    history: logHistory(bus),
    titles: { nameOf: (titleId) => (directory.isLoaded() ? (directory.find(titleId)?.name ?? '') : '') },
    limits,
    watch: streamWatch(metrics),
    later: (work) => void setImmediate(work),
    pause: (ms) => pause(ms, undefined, { ref: false }),
    retryMs: () => Math.round(RETRY_MS.min + Math.random() * (RETRY_MS.max - RETRY_MS.min)),
  });
}

function streamWatch(metrics: Metrics): StreamWatch {
  const readers = metrics.gauge('stream_readers', 'Readers of the live stream');
  const events = metrics.counter('stream_events_total', 'Events of the live stream, by topic', ['topic']);
  const resumed = metrics.counter('stream_resumed_total', 'Readers that came back, by how they go on', ['result']);
  const dropped = metrics.counter('stream_readers_dropped_total', 'Readers dropped because they were too slow');
  return {
    reading: (count) => readers.set(count),
    brought: (topic, count) => events.inc({ topic }, count),
    resumed: (result) => resumed.inc({ result }),
    dropped: () => dropped.inc(),
  };
}
