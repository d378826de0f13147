import type { StreamHub } from '../domain/stream/stream-hub.ts';

const SECOND_MS = 1000;

/** Keeps the heartbeats of a stream going; gives what stops them. */
export function keepBeating(hub: StreamHub, secondMs = SECOND_MS): () => Promise<void> {
  const timer = setInterval(() => hub.heartbeat(), secondMs);
  return async () => {
    clearInterval(timer);
  };
}
