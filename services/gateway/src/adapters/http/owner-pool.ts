import { Pool } from 'undici';
import { AdaptiveLimit } from './adaptive-limit.ts';
import { lookupInTurn } from './lookup-in-turn.ts';

/** Connections to one owner at most; further requests wait for one. */
const CONNECTIONS = 32;
/** The same for requests with a session, which may wait for the auth service. */
const SESSION_CONNECTIONS = 256;
/** How many requests may wait for a connection: what an owner answers in a fraction of a second. */
const QUEUE_MAX = 256;
/** The limit shrinks when answers take longer: an owner waits for its store itself for not much longer. */
const ANSWERED_WITHIN_MS = 500;
/** Owners are on the same network: one that has not accepted by then is down. */
const CONNECT_MS = 1000;
/** How long a connection is reused: a new replica gets its share of requests soon. */
const CONNECTION_TTL_MS = 2000;

/** A connection pool, and how many requests may use it or wait for it. */
export interface OwnerPool {
  readonly pool: Pool;
  readonly limit: AdaptiveLimit;
}

/** For requests without a session. @param timeoutMs how long an answer may take at most */
export function usualPool(origin: string, timeoutMs: number): OwnerPool {
  return ownerPool(origin, CONNECTIONS, timeoutMs, ANSWERED_WITHIN_MS);
}

/** For requests with a session: their time says nothing of the owner, so it does not change the limit. */
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
