import type { IncomingMessage } from 'node:http';
import { isIP, type Socket } from 'node:net';
import proxyaddr from 'proxy-addr';
import { z } from 'zod';
import { setting, type Setting } from '../config/setting.ts';

export type TrustedProxies = ReturnType<typeof proxyaddr.compile>;

/** Dual-stack sockets report IPv4 addresses with this prefix. */
const MAPPED_IPV4 = /^::ffff:(?=\d+\.)/i;

/** IP addresses and subnets, `10.0.0.7, 172.16.0.0/12, fd00::/8`. Default: none. */
export const trustedProxiesSetting: Setting<TrustedProxies> = setting.text('').transform((text, issues) => {
  try {
    return proxyaddr.compile(
      text
        .split(',')
        .map((name) => name.trim())
        .filter(Boolean),
    );
  } catch {
    issues.addIssue('must be IP addresses and subnets, separated by commas');
    return z.NEVER;
  }
});

/** Connections of the shared Unix socket, which only the proxy in front can open. */
export const proxySockets = new WeakSet<Socket>();

/** The gateway's header to services that verify sessions. */
export const CLIENT_HEADER = 'x-forwarded-for';

/** The client's network: an IPv4 address, or the /64 that an IPv6 client has. Undefined when there is none. */
export function clientNetwork(address: unknown): string | undefined {
  if (typeof address !== 'string') return undefined;
  if (isIP(address) !== 6) return isIP(address) === 4 ? address : undefined;
  // The URL parser writes IPv6 addresses in one form, and mapped IPv4 addresses in hexadecimal.
  const [head = '', tail] = new URL(`http://[${address.replace(/%.*/, '')}]`).hostname.slice(1, -1).split('::');
  const groups = head === '' ? [] : head.split(':');
  const rest = tail === undefined || tail === '' ? [] : tail.split(':');
  const missing = Array<string>(Math.max(0, 8 - groups.length - rest.length)).fill('0');
  return `${[...groups, ...missing, ...rest].slice(0, 4).join(':')}::/64`;
}

/** The last address of `X-Forwarded-For` that isn't a trusted proxy's; "" when the connection is gone. */
export function clientAddress(req: IncomingMessage, isTrusted: TrustedProxies): string {
  const isSocketTrusted = proxySockets.has(req.socket);
  const hops = proxyaddr.all(req, (address, hop) => (hop === 0 && isSocketTrusted) || isTrusted(address, hop));
  // The header may contain any text: fall back to the nearest valid address.
  const address = hops.findLast((hop) => isIP(hop) !== 0) ?? '';
  return address.replace(MAPPED_IPV4, '');
}
