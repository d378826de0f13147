import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import proxyaddr from 'proxy-addr';
import { z } from 'zod';
import { setting, type Setting } from '../config/setting.ts';
import { isFromProxy } from './listeners.ts';

/** Whether an address is a trusted proxy's. */
export type TrustedProxies = ReturnType<typeof proxyaddr.compile>;

/** An IPv4 address as sockets that take both families give it. */
const MAPPED = /^::ffff:(?=\d+\.)/i;

/** A setting: IP addresses and subnets, `10.0.0.7, 172.16.0.0/12, fd00::/8`. Default: none. */
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

/**
 * The address of the client, as `X-Forwarded-For` of trusted proxies names it. A proxy that connects by the Unix socket is
 * trusted.
 *
 * @returns an IP address; "" when the connection is gone
 */
export function clientAddress(req: IncomingMessage, isTrusted: TrustedProxies): string {
  const isSocketTrusted = isFromProxy(req.socket);
  const hops = proxyaddr.all(req, (address, hop) => (hop === 0 && isSocketTrusted) || isTrusted(address, hop));
  // A trusted proxy may pass on any text: the last address is the proxy's then.
  const address = hops.findLast((hop) => isIP(hop) !== 0) ?? '';
  return address.replace(MAPPED, '');
}
