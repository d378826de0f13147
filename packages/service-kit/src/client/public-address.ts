import type { LookupAddress, LookupAllOptions } from 'node:dns';
import { BlockList, isIP, isIPv4, type LookupFunction } from 'node:net';

/** Networks of IANA's registry of special-purpose IPv4 addresses, and multicast. */
const SPECIAL_V4 = [
  ...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12', '192.0.0.0/24'],
  ...['192.0.2.0/24', '192.88.99.0/24', '192.168.0.0/16', '198.18.0.0/15', '198.51.100.0/24', '203.0.113.0/24'],
  ...['224.0.0.0/4', '240.0.0.0/4'],
];
/** Global unicast, without what is documentation, or carries an IPv4 address. All others are special. */
const GLOBAL_V6 = '2000::/3';
const SPECIAL_V6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'];

const specialV4 = listOf(SPECIAL_V4, 'ipv4');
const globalV6 = listOf([GLOBAL_V6], 'ipv6');
const specialV6 = listOf(SPECIAL_V6, 'ipv6');

function listOf(networks: readonly string[], family: 'ipv4' | 'ipv6'): BlockList {
  const list = new BlockList();
  for (const network of networks) {
    const [address = '', bits] = network.split('/');
    list.addSubnet(address, Number(bits), family);
  }
  return list;
}

/** Whether an address is reached over the public internet: not private, loopback, link-local, multicast or embedded. */
export function isPublicAddress(address: string): boolean {
  if (isIPv4(address)) return !specialV4.check(address, 'ipv4');
  if (isIP(address) !== 6 || address.includes('%')) return false;
  return globalV6.check(address, 'ipv6') && !specialV6.check(address, 'ipv6');
}

class PrivateAddressError extends Error {
  readonly code = 'EPRIVATE';
}

/** @throws Error with the code `EPRIVATE` for an address, which Node does not look up */
export function checkHost(url: string): void {
  const host = new URL(url).hostname.replace(/^\[|\]$/g, '');
  if (isIP(host) !== 0 && !isPublicAddress(host)) throw new PrivateAddressError('the address is not public');
}

/** `lookup` of `node:dns`. */
export type LookUp = (
  hostname: string,
  options: LookupAllOptions,
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

/** A name of one label, and those that RFC 6761, RFC 6762, RFC 8375 and ICANN keep for local networks. */
const LOCAL_NAME = /^[^.]+$|\.(?:localhost|local|internal|lan|home\.arpa)$/i;

/** As {@link publicLookup}, but names of a local network have any address: public name servers answer for none of them. */
export function publicDomainLookup(lookUp: LookUp): LookupFunction {
  const ofDomain = publicLookup(lookUp);
  const ofAny: LookupFunction = (hostname, options, callback) => {
    lookUp(hostname, { ...options, all: true }, (error, addresses) => {
      if (error !== null) callback(error, '');
      else if (options.all === true) callback(null, addresses);
      else callback(null, addresses[0]?.address ?? '', addresses[0]?.family);
    });
  };
  return (hostname, ...rest) => (LOCAL_NAME.test(hostname) ? ofAny : ofDomain)(hostname, ...rest);
}

/**
 * Looks a name up as Node does. Fails with the code `EPRIVATE` if one of its addresses is not public. A socket connects
 * to the addresses that were checked: it does not look the name up again.
 */
export function publicLookup(lookUp: LookUp): LookupFunction {
  return (hostname, options, callback) => {
    lookUp(hostname, { ...options, all: true }, (error, addresses) => {
      if (error !== null) {
        callback(error, '');
      } else if (addresses.length === 0 || !addresses.every(({ address }) => isPublicAddress(address))) {
        callback(new PrivateAddressError('the host has an address that is not public'), '');
      } else if (options.all === true) {
        callback(null, addresses);
      } else {
        callback(null, addresses[0]?.address ?? '', addresses[0]?.family);
      }
    });
  };
}
