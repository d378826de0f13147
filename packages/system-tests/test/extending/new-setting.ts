import { baseSettings, readConfig, setting, type Env } from '@lobbystats/service-kit';
import { z } from 'zod';

const settings = z.object({
  ...baseSettings(8086),
  RUSH_PLAYERS: setting
    .integer({ min: 2, max: 10_000, default: 40 })
    .meta({ description: 'How many players at once make a rush.' }),
});

export const readRushConfig = (env: Env) => readConfig(settings, env);
