import { discordUrl, linkInput, platformDomains } from '@lobbystats/contracts';

/** The URL if it is https and leads to a host of its platform; undefined for other platforms, which may have any host. */
export function linkTarget(platform: string, url: string): string | undefined {
  const isAllowed =
    platform === 'discord'
      ? discordUrl.safeParse(url).success
      : platformDomains.has(platform) && linkInput.safeParse({ platform, url }).success;
  return isAllowed ? url : undefined;
}
