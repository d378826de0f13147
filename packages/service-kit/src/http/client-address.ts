import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import proxyaddr from 'proxy-addr';
import { z } from 'zod';
import { setting, type Setting } from '../config/setting.ts';
import { isFromProxy } from './listen.ts';

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

/** The last address of `X-Forwarded-For` that isn't a trusted proxy's; "" when the connection is gone. */
export function clientAddress(req: IncomingMessage, isTrusted: TrustedProxies): string {
  const isSocketTrusted = isFromProxy(req.socket);
  const hops = proxyaddr.all(req, (address, hop) => (hop === 0 && isSocketTrusted) || isTrusted(address, hop));
  // The header may contain any text: fall back to the nearest valid address.
  const address = hops.findLast((hop) => isIP(hop) !== 0) ?? '';
  return address.replace(MAPPED_IPV4, '');
}
