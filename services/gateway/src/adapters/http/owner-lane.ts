import { Pool } from 'undici';
import { AdaptiveLimit } from './adaptive-limit.ts';
import { lookupInTurn } from './lookup-in-turn.ts';
import { PlainLine } from './plain-line.ts';

/** Connections to one owner at most; further requests wait for one. */
const CONNECTIONS = 32;
/** The same for questions with a session: far more than an owner lets wait for the auth service, strangers above all. */
const SESSION_CONNECTIONS = 256;
/** How many wait for a connection at most: what an owner answers in a fraction of a second. */
const WAITING = 256;
/** No more are asked at once than an owner answers within this time: it waits for its store itself for not much longer. */
const ANSWERED_WITHIN_MS = 500;
/** An owner is near: what has not connected by then is away. */
const CONNECT_MS = 1000;
/** How long a connection is used: a replica that has just come has its part soon, and is warm before it has all. */
const LIFETIME_MS = 2000;

/** Connections for one kind of question, and how many may use or await one. */
export interface Lane {
  readonly pool: Pool;
  /** Where the owner is reached without encryption. */
  readonly plain?: PlainLine | undefined;
  readonly limit: AdaptiveLimit;
}

/** For what waits for the owner alone. @param timeoutMs how long an answer may take at most */
export function usualLane(origin: string, timeoutMs: number): Lane {
  return { ...laneTo(origin, CONNECTIONS, timeoutMs, ANSWERED_WITHIN_MS), plain: plainTo(origin, timeoutMs) };
}

/** For what has a session. Who waits for the auth service doesn't wait for the owner. */
export function sessionLane(origin: string, timeoutMs: number): Lane {
  return laneTo(origin, SESSION_CONNECTIONS, timeoutMs, Infinity);
}

function laneTo(origin: string, connections: number, timeoutMs: number, withinMs: number): Lane {
  const pool = new Pool(origin, {
    connections,
    connectTimeout: connectMsOf(timeoutMs),
    connect: { lookup: lookupInTurn() },
    clientTtl: LIFETIME_MS,
    // The deadline is kept for each request as a whole; these know only its parts, to the second.
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  return { pool, limit: new AdaptiveLimit(connections + WAITING, withinMs) };
}

function plainTo(origin: string, timeoutMs: number): PlainLine | undefined {
  if (!origin.startsWith('http:')) return undefined;
  return new PlainLine({
    origin,
    connections: CONNECTIONS,
    connectTimeoutMs: connectMsOf(timeoutMs),
    lifetimeMs: LIFETIME_MS,
    lookup: lookupInTurn(),
  });
}

/** Before the deadline, which would hide that nobody could be reached. */
function connectMsOf(timeoutMs: number): number {
  return Math.min(CONNECT_MS, Math.ceil(timeoutMs / 2));
}
