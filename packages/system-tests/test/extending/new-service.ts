import { defineService, openServiceBus } from '@lobbystats/service-kit';
import { consumeRushes } from './new-message.ts';
import { busyHours } from './new-route.ts';
import { readRushConfig } from './new-setting.ts';

export const rushApi = defineService({
  name: 'rush-api',
  readConfig: readRushConfig,
  parts: {
    store: () => new Map<string, number>(),
    bus: openServiceBus('series-api'),
  },
  compose: ({ store, bus, config, metrics }) => {
    const limit = metrics.gauge('rush_limit', 'Players that make a rush');
    limit.set(config.RUSH_PLAYERS);
    return {
      routes: [busyHours],
      components: [() => consumeRushes(bus, store)],
    };
  },
});
