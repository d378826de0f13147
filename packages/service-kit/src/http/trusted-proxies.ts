import { BlockList, isIP } from 'node:net';
import { setting, type Setting } from '../config/setting.ts';

/** The proxies whose word on a caller's address is believed. */
export interface TrustedProxies {
  /** @param address an IP address; anything else is none of them */
  includes(address: string): boolean;
}

/** Nobody's word is believed. */
export const noTrustedProxies: TrustedProxies = { includes: () => false };

/** A setting: IP addresses and subnets, `10.0.0.7, 172.16.0.0/12, fd00::/8`. Default: none. */
export const trustedProxiesSetting: Setting<TrustedProxies> = setting
  .text('')
  .refine((text) => namesIn(text).every(isNetwork), 'must be IP addresses and subnets, separated by commas')
  .transform((text) => trustedProxies(namesIn(text)));

/** @param networks IP addresses and subnets, `10.0.0.7`, `172.16.0.0/12` */
function trustedProxies(networks: readonly string[]): TrustedProxies {
  const list = new BlockList();
  for (const network of networks) {
    const [address = '', bits] = network.split('/', 2);
    const family = familyOf(address);
    if (bits === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(bits), family);
  }
  return { includes: (address) => isIP(address) !== 0 && list.check(address, familyOf(address)) };
}

function namesIn(text: string): string[] {
  return text
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
}

function isNetwork(text: string): boolean {
  const [address = '', bits, ...more] = text.split('/');
  const version = isIP(address);
  if (version === 0 || more.length > 0) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128));
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIP(address) === 6 ? 'ipv6' : 'ipv4';
}
