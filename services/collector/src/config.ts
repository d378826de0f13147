import { baseSettings, readConfig, setting, type Env } from '@lobbystats/service-kit';
import { z } from 'zod';

const HTTP_PROTOCOLS = ['http', 'https'];
const YEAR_DAYS = 365;
const MONTH_DAYS = 30;
const WEEK_DAYS = 7;

/** Printed in .env.example. */
export const collectorSettings = z.object({
  ...baseSettings(8085),
  NETWORK_URL: setting.url({ protocols: HTTP_PROTOCOLS, default: 'http://127.0.0.1:8090' }).meta({
    description: 'URL of the network to observe; unset with npm start and docker compose, the simulator.',
    commented: true,
  }),
  NETWORK_PUBLIC_URL: setting
    .url({ protocols: HTTP_PROTOCOLS })
    .optional()
    .meta({ description: 'Its URL for browsers, which load icons from there; by default NETWORK_URL.' }),
  NETWORK_CLOCK_TOLERANCE_SECONDS: setting.integer({ min: 0, max: 86_400, default: 2 }).meta({
    description:
      'Tolerated difference between the network’s clock and this one, in seconds: reading begins so long after the start of a slot, at most 5, and the rest is tolerated in a page’s Date.',
  }),
  COLLECTOR_MAX_RPS: setting.integer({ min: 1, max: 10_000 }).optional().meta({
    description:
      'Requests per second of all collectors together: by default 20 for the simulator and 2 for a network of others, lower if its robots.txt has a Crawl-delay.',
  }),
  COLLECTOR_CONTACT: setting.text('').refine(isHeaderText, 'must be at most 200 visible ASCII characters').meta({
    description:
      'A URL or an address at which the operator of the network reaches you, required for a network of others.',
  }),
  NETWORK_SOURCES_FILE: setting.text().optional().meta({
    description: 'JSON that describes sources of the network that differ from the HTML site: docs/network.md.',
  }),
  HISTORY_URL: setting.url({ protocols: HTTP_PROTOCOLS }).optional().meta({
    description:
      'URL of the history feed for the backfill; by default the simulator’s if the origin is "simulated", else none.',
  }),
  BACKFILL_DAYS: setting.integer({ min: 0, max: MONTH_DAYS, default: MONTH_DAYS }).meta({
    description:
      'Days of history that the first start backfills: of leaderboards and play time the last 7 at most, of registered users a year; 0 disables it.',
  }),
  DATABASE_URL: setting
    .store({ protocols: ['mongodb', 'mongodb+srv'], default: 'sqlite:./data/collector.sqlite' })
    .meta({
      description:
        'Store of a service: sqlite:PATH or mongodb://USER:PASSWORD@HOST:PORT/DATABASE; by default a file in ./data.',
      commented: true,
    }),
});

/** A real network's data must not be stored as the simulated one's. */
const explicitNetworkSettings = collectorSettings.extend({
  NETWORK_ORIGIN: setting
    .text('')
    .refine(
      (origin) => origin !== '',
      'must name the network that NETWORK_URL points at, such as its host name ("simulated" for a simulator)',
    ),
});

type Settings = Readonly<z.output<typeof collectorSettings>>;

const contactSettings = explicitNetworkSettings.extend({
  COLLECTOR_CONTACT: setting
    .text('')
    .refine(isHeaderText, 'must be at most 200 visible ASCII characters')
    .refine(
      (contact) => contact !== '',
      'must be a URL or an address at which the operator of the network reaches you',
    ),
});

/** Whether the network belongs to others: all but a simulated one. */
export function isForeign({ NETWORK_ORIGIN }: { NETWORK_ORIGIN: string }): boolean {
  return NETWORK_ORIGIN !== 'simulated';
}

/** The collector's settings with defaults applied. `HISTORY_URL` is undefined for a network without a history feed. */
export interface CollectorConfig extends Omit<Settings, 'NETWORK_PUBLIC_URL' | 'HISTORY_URL' | 'COLLECTOR_MAX_RPS'> {
  readonly COLLECTOR_MAX_RPS: number;
  readonly NETWORK_PUBLIC_URL: string;
  readonly HISTORY_URL: string | undefined;
  /** How far each part of the history reaches back. */
  readonly backfillDays: BackfillDays;
}

export interface BackfillDays {
  readonly snapshots: number;
  readonly registered: number;
  readonly leaderboards: number;
  readonly playTime: number;
}

/** @throws ConfigError that lists every fault of the environment */
export function readCollectorConfig(env: Env): CollectorConfig {
  const isPointed = (env['NETWORK_URL'] ?? '') !== '';
  const origin = env['NETWORK_ORIGIN'] ?? '';
  const pointed = origin !== '' && isForeign({ NETWORK_ORIGIN: origin }) ? contactSettings : explicitNetworkSettings;
  const settings = readConfig(isPointed ? pointed : collectorSettings, env);
  const { NETWORK_URL, NETWORK_ORIGIN } = settings;
  const simulatorsFeed = NETWORK_ORIGIN === 'simulated' ? `${NETWORK_URL}/simulator/history` : undefined;
  return Object.freeze({
    ...settings,
    COLLECTOR_MAX_RPS: settings.COLLECTOR_MAX_RPS ?? (isForeign(settings) ? 2 : 20),
    NETWORK_PUBLIC_URL: settings.NETWORK_PUBLIC_URL ?? NETWORK_URL,
    HISTORY_URL: settings.HISTORY_URL ?? simulatorsFeed,
    backfillDays: backfillDaysOf(settings.BACKFILL_DAYS),
  });
}

function backfillDaysOf(days: number): BackfillDays {
  const recent = Math.min(days, WEEK_DAYS);
  return { snapshots: days, registered: days === 0 ? 0 : YEAR_DAYS, leaderboards: recent, playTime: recent };
}

function isHeaderText(text: string): boolean {
  return /^[\x20-\x7e]{0,200}$/.test(text);
}

export function describeDestination(busUrl: string): string {
  const endsWithCommand = /^memory:(?::memory:)?$/.test(busUrl);
  return endsWithCommand ? `published to no consumer: ${busUrl} ends with this command` : `published to ${busUrl}`;
}
