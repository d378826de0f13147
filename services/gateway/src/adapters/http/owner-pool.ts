import { Pool } from 'undici';
import { AdaptiveLimit } from './adaptive-limit.ts';
import { lookupInTurn } from './lookup-in-turn.ts';

const CONNECTIONS = 32;
const SESSION_CONNECTIONS = 256;
/** Requests that may wait for a connection. */
const QUEUE_MAX = 256;
/** Latency target of the adaptive limit; upstreams themselves wait for their store for about as long. */
const ANSWERED_WITHIN_MS = 500;
/** Owners are on the same network: one that has not accepted by then is down. */
const CONNECT_MS = 1000;
/** How long a connection is reused: a new replica gets its share of requests soon. */
const CONNECTION_TTL_MS = 2000;

export interface OwnerPool {
  readonly pool: Pool;
  readonly limit: AdaptiveLimit;
}

/**
 */
export function usualPool(origin: string, timeoutMs: number): OwnerPool {
  return ownerPool(origin, CONNECTIONS, timeoutMs, ANSWERED_WITHIN_MS);
}

/** Latency includes the auth service, so it does not change the limit. */
export function sessionPool(origin: string, timeoutMs: number): OwnerPool {
  return ownerPool(origin, SESSION_CONNECTIONS, timeoutMs, Infinity);
}

function ownerPool(origin: string, connections: number, timeoutMs: number, withinMs: number): OwnerPool {
  const pool = new Pool(origin, {
    connections,
    // Shorter than the deadline, which would hide that nobody accepted the connection.
    connectTimeout: Math.min(CONNECT_MS, Math.ceil(timeoutMs / 2)),
    connect: { lookup: lookupInTurn() },
    clientTtl: CONNECTION_TTL_MS,
    // `fetchAnswer` has one deadline for the whole request.
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  return { pool, limit: new AdaptiveLimit(connections + QUEUE_MAX, withinMs) };
}
