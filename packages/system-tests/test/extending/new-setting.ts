import { baseSettings, readConfig, setting, type Env } from '@lobbystats/service-kit';
import { z } from 'zod';

const settings = z.object({
  ...baseSettings(8086),
  /** How many players at once make a rush. */
  RUSH_PLAYERS: setting.integer({ min: 2, max: 10_000, default: 40 }),
});

export const readRushConfig = (env: Env) => readConfig(settings, env);
