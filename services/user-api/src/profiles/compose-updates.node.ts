import type { Metrics, Secret } from '@lobbystats/service-kit';
import { withTimeout } from '@lobbystats/service-kit/concurrency';
import { discordApi } from './discord.http.ts';
import { limitLookUps } from './limited-discord.ts';
import { ProfileUpdater, type ProfileUpdaterOptions } from './profile-updater.ts';

interface UpdatesOptions extends Omit<ProfileUpdaterOptions, 'discord' | 'withTimeout'> {
  readonly discordUrl: string;
  readonly discordToken: Secret | undefined;
  readonly timeoutMs: number;
  readonly metrics: Metrics;
}

/** Connects updates of profiles with Discord, with their metrics. */
export function composeUpdates({
  discordUrl,
  discordToken,
  timeoutMs,
  metrics,
  onUpdated,
  ...options
}: UpdatesOptions) {
  const updates = metrics.counter('profile_updates_total', 'Profile updates that were written');
  const lookups = metrics.counter('discord_lookups_total', 'Discord look-ups by outcome', ['outcome']);
  const api = discordApi({ url: discordUrl, token: discordToken, onLookup: (outcome) => lookups.inc({ outcome }) });
  return new ProfileUpdater({
    ...options,
    discord: limitLookUps(api, () => performance.now()),
    withTimeout: withTimeout(timeoutMs),
    onUpdated: () => {
      updates.inc();
      onUpdated();
    },
  });
}
