import { lookup, type LookupAddress, type LookupAllOptions } from 'node:dns';
import type { LookupFunction } from 'node:net';

/** Finds all addresses of a name. */
export type Resolve = (
  hostname: string,
  options: LookupAllOptions,
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

/**
 * Each connection starts with another address of the name. The system would order them by RFC 6724 section 6, always the
 * same way, and one replica would get all connections.
 */
export function lookupInTurn(resolve: Resolve = lookup): LookupFunction {
  let turn = 0;
  return (hostname, options, callback) => {
    resolve(hostname, { ...options, all: true }, (error, addresses) => {
      if (error !== null) {
        callback(error, []);
        return;
      }
      const first = turn % addresses.length;
      turn += 1;
      const inTurn = [...addresses.slice(first), ...addresses.slice(0, first)];
      const [{ address, family } = { address: '', family: 0 }] = inTurn;
      if (options.all === true) callback(null, inTurn);
      else callback(null, address, family);
    });
  };
}
