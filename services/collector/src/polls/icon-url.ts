import { isPublicUrl } from '../sources/pages/public-url.ts';

export interface IconHosts {
  readonly networkUrl: string;
  readonly publicUrl: string;
}

export interface IconRequest {
  readonly url: string;
  /** The host is the one that the settings name, which may be private. */
  readonly isOwnHost: boolean;
}

/**
 * Where an icon is requested: at the network itself, whose public URL leads to the same place, or at a host below its
 * domain. Undefined for an icon of another host: pages of the network do not choose who is asked.
 */
export function iconRequestOf(image: string, { networkUrl, publicUrl }: IconHosts): IconRequest | undefined {
  const url = URL.parse(image);
  if (url === null || !/^https?:$/.test(url.protocol)) return undefined;
  const [network, own] = [new URL(networkUrl), new URL(publicUrl)];
  if (!isPublicUrl(url, own)) return undefined;
  if (url.origin === own.origin) {
    const base = own.pathname.replace(/\/$/, '');
    const path = url.pathname.startsWith(`${base}/`) ? url.pathname.slice(base.length) : url.pathname;
    return { url: network.origin + network.pathname.replace(/\/$/, '') + path + url.search, isOwnHost: true };
  }
  if (url.origin === network.origin) return { url: url.href, isOwnHost: true };
  const isBelow = [network, own].some((host) => url.hostname.endsWith(`.${domainOf(host)}`));
  return isBelow && url.port === '' ? { url: url.href, isOwnHost: false } : undefined;
}

/** A name of one word is no domain, and an address has none below it. */
function domainOf({ hostname }: URL): string {
  const domain = hostname.replace(/^www\./, '');
  return domain.includes('.') && !/[\d\]]$/.test(domain) ? domain : '\n';
}
