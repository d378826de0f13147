import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import { isFromProxy } from './listeners.ts';
import type { TrustedProxies } from './trusted-proxies.ts';

/** Longer chains of proxies are nobody's. */
const HOPS_MAX = 16;
/** An IPv4 address as sockets that take both families give it. */
const MAPPED = /^::ffff:(?=\d+\.)/i;

/**
 * Whose request it is: the address at the other end of the connection; where that is a trusted proxy or a Unix socket, the one that it says
 * in `X-Forwarded-For`, and so on, from the last to the first. What stands before a proxy that isn't trusted could be
 * anybody's invention.
 *
 * @returns an IP address; "" when the connection is gone
 */
export function clientAddress(req: IncomingMessage, proxies: TrustedProxies): string {
  let address = plain(req.socket.remoteAddress ?? '');
  if (!isFromProxy(req.socket) && !proxies.includes(address)) return address;
  for (const said of forwardedFor(req).toReversed().slice(0, HOPS_MAX)) {
    if (isIP(said) === 0) break;
    address = plain(said);
    if (!proxies.includes(address)) break;
  }
  return address;
}

function forwardedFor({ headers }: IncomingMessage): string[] {
  const given = headers['x-forwarded-for'] ?? '';
  const list = Array.isArray(given) ? given.join(',') : given;
  return list.split(',').map((address) => address.trim());
}

function plain(address: string): string {
  return address.replace(MAPPED, '');
}
