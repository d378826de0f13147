import type { Parse } from '../sources/parsing/parsers.node.ts';
import type { RateLimitedClient } from '../sources/client/rate-limited-client.http.ts';
import { conditionalHeaders, imageBodyOf, validatorsOf } from '../sources/client/responses.http.ts';
import { reportFailures, type SiteParts } from '../sources/client/site-requests.http.ts';
import type { IconSource } from './icon-source.ts';
import { iconRequestOf, type IconHosts } from './icon-url.ts';

export interface NetworkIconsParts extends Pick<SiteParts, 'pages' | 'telemetry' | 'now'> {
  client: RateLimitedClient;
  parse: Parse;
  hosts: IconHosts;
}

const LIMITS = { timeoutMs: 10_000, maxBytes: 1024 * 1024 };
const HEADERS = { Accept: 'image/webp,image/png,image/jpeg,image/gif' };
/** Increment when an icon is made in another way, to make all of them again. */
const VERSION = 1;

/** Sends conditional requests, and returns the stored reading on 304. Follows no redirect. */
export function createNetworkIcons({ client, parse, hosts, ...parts }: NetworkIconsParts): IconSource {
  return {
    async icon(image, deadlineMs) {
      const request = iconRequestOf(image, hosts);
      if (request === undefined) return undefined;
      const { url, isOwnHost } = request;
      const time = { deadlineMs, urgency: 'last', onlyPublic: !isOwnHost } as const;
      return reportFailures('icon', url, parts, async () => {
        const known = await knownIcon(url);
        const response = await client.get(url, { ...HEADERS, ...conditionalHeaders(known) }, LIMITS, time);
        const bytes = imageBodyOf(response, known !== undefined);
        if (bytes === undefined && known !== undefined) {
          parts.telemetry.pageRead('icon', 'unchanged');
          return known.image;
        }
        const icon = await parse('icon', bytes ?? Buffer.alloc(0));
        const validators = validatorsOf(response);
        if (validators.etag !== null || validators.lastModified !== null) {
          const reading = JSON.stringify({ version: VERSION, ...icon });
          await parts.pages.put(url, { ...validators, reading }, parts.now());
        }
        parts.telemetry.pageRead('icon', 'read');
        return icon.image;
      });
    },
  };

  async function knownIcon(url: string) {
    const known = await parts.pages.get(url);
    if (known === undefined) return undefined;
    const { version, image } = JSON.parse(known.reading) as { version: number; image: string };
    return version === VERSION ? { ...known, image } : undefined;
  }
}
