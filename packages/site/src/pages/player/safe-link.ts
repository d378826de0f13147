import { discordUrl, linkInput, platformDomains } from '@lobbystats/contracts';

/** The URL if it is https and leads to a host of its platform; undefined for other platforms, which may have any host. */
export function linkTarget(platform: string, url: string): string | undefined {
  if (platform === 'discord') return discordUrl.safeParse(url).data;
  return platformDomains.has(platform) ? linkInput.safeParse({ platform, url }).data?.url : undefined;
}
