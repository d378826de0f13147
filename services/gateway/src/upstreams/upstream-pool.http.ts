import { lookup, type LookupAddress, type LookupAllOptions } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { Pool } from 'undici';
import { AdaptiveConcurrencyLimit } from './adaptive-concurrency-limit.ts';

const CONNECTIONS = 32;
const SESSION_CONNECTIONS = 256;
/** Maximum number of requests that wait for a connection. */
const QUEUE_MAX = 256;
/** Latency target of the adaptive limit; upstreams themselves wait for their store for about as long. */
const TARGET_LATENCY_MS = 500;
/** Upstreams are on the same network: one that has not accepted a connection by then is down. */
const CONNECT_MS = 1000;
/** How long a connection is reused, so that a new replica soon gets its share of requests. */
const CONNECTION_TTL_MS = 2000;

export interface UpstreamPool {
  readonly pool: Pool;
  readonly limit: AdaptiveConcurrencyLimit;
}

export function defaultPool(origin: string, timeoutMs: number): UpstreamPool {
  return createPool(origin, CONNECTIONS, timeoutMs, TARGET_LATENCY_MS);
}

/** Latency includes the auth service, so it does not change the limit. */
export function sessionPool(origin: string, timeoutMs: number): UpstreamPool {
  return createPool(origin, SESSION_CONNECTIONS, timeoutMs, Infinity);
}

function createPool(origin: string, connections: number, timeoutMs: number, withinMs: number): UpstreamPool {
  const pool = new Pool(origin, {
    connections,
    // Shorter than the deadline, so that an unaccepted connection is reported as such.
    connectTimeout: Math.min(CONNECT_MS, Math.ceil(timeoutMs / 2)),
    connect: { lookup: roundRobinLookup() },
    clientTtl: CONNECTION_TTL_MS,
    // `fetchResponse` has one deadline for the whole request.
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  return { pool, limit: new AdaptiveConcurrencyLimit(connections + QUEUE_MAX, withinMs) };
}

export type Resolve = (
  hostname: string,
  options: LookupAllOptions,
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

/**
 * Rotates the addresses of a name for each connection. The system always returns them in the same order (RFC 6724
 * section 6), so one replica would get all connections.
 */
export function roundRobinLookup(resolve: Resolve = lookup): LookupFunction {
  let nextIndex = 0;
  return (hostname, options, callback) => {
    resolve(hostname, { ...options, all: true }, (error, addresses) => {
      if (error !== null) {
        callback(error, []);
        return;
      }
      const first = nextIndex % addresses.length;
      nextIndex += 1;
      const rotatedAddresses = [...addresses.slice(first), ...addresses.slice(0, first)];
      const [{ address, family } = { address: '', family: 0 }] = rotatedAddresses;
      if (options.all === true) callback(null, rotatedAddresses);
      else callback(null, address, family);
    });
  };
}
