import { lookup, type LookupAddress, type LookupAllOptions } from 'node:dns';
import type { LookupFunction } from 'node:net';

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
      // A connection asks for all addresses: it tries the next one when the first does not accept it.
      callback(null, [...addresses.slice(first), ...addresses.slice(0, first)]);
    });
  };
}
