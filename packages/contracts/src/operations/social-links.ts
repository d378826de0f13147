import { z } from 'zod';
import { trimmedText } from '../primitives/query.ts';
import { profileBounds } from './profiles.ts';

const httpsMessage = `must be an https URL of at most ${profileBounds.url} characters`;

/** In the spelling of URL parsers, once parsed: scheme and host in lower case. */
export const httpsUrl = z
  .string({ error: httpsMessage })
  .trim()
  .refine(isHttps, httpsMessage)
  .transform((text) => new URL(text).href)
  .refine((url) => url.length <= profileBounds.url, httpsMessage)
  .meta({ type: 'string', format: 'uri', pattern: '^https://', maxLength: profileBounds.url });

/** Rejects credentials, and texts that a URL parser would repair. */
function isHttps(text: string): boolean {
  if (!/^https:\/\/[^\s\\/?#@\p{Cc}"<>]+(?:[/?#][^\s\\\p{Cc}"<>]*)?$/iu.test(text) || !URL.canParse(text)) return false;
  const { protocol, username: user, password } = new URL(text);
  return protocol === 'https:' && user === '' && password === '';
}

/** Subdomains are accepted. Other platforms may have any host: Mastodon has one per community. */
export const platformDomains: ReadonlyMap<string, readonly string[]> = new Map([
  ['bluesky', ['bsky.app']],
  ['github', ['github.com']],
  ['instagram', ['instagram.com']],
  ['steam', ['steamcommunity.com', 'steampowered.com']],
  ['tiktok', ['tiktok.com']],
  ['twitch', ['twitch.tv']],
  ['twitter', ['twitter.com', 'x.com']],
  ['x', ['x.com', 'twitter.com']],
  ['youtube', ['youtube.com', 'youtu.be']],
]);

interface LinkTarget {
  readonly platform: string;
  readonly url: string;
}

export const linkInput = z
  .strictObject({
    platform: trimmedText(profileBounds.platform).toLowerCase(),
    url: httpsUrl,
    label: z.union([z.literal('').transform(() => null), z.null(), trimmedText(profileBounds.label)]).default(null),
  })
  .refine(matchesPlatform, {
    path: ['url'],
    error: ({ input }) => domainMessage((input as LinkTarget).platform),
  });

/** Accepts invalid URLs: {@link httpsUrl} has reported them. */
function matchesPlatform({ platform, url }: LinkTarget): boolean {
  if (!isHttps(url)) return true;
  const { hostname } = new URL(url);
  const domains = platformDomains.get(platform);
  return domains?.some((domain) => hostname === domain || hostname.endsWith(`.${domain}`)) ?? true;
}

function domainMessage(platform: string): string {
  return `must lead to ${platformDomains.get(platform)?.join(' or ') ?? 'its platform'} for the platform ${platform}`;
}
