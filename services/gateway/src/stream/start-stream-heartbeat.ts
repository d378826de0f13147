import type { StreamHub } from './stream-hub.ts';

const SECOND_MS = 1000;

export function startStreamHeartbeat(hub: StreamHub, secondMs = SECOND_MS): () => Promise<void> {
  const timer = setInterval(() => hub.heartbeat(), secondMs);
  return async () => {
    clearInterval(timer);
  };
}
