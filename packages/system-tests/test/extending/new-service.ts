import { defineService, openServiceBus } from '@lobbystats/service-kit';
import { rushHandler } from './new-message.ts';
import { busyHourRoutes } from './new-route.ts';
import { readRushConfig } from './new-setting.ts';
import { openRushStore } from './rush-store.ts';

export const rushApi = defineService({
  name: 'rush-api',
  readConfig: readRushConfig,
  parts: {
    store: () => openRushStore(),
    bus: openServiceBus('series-api'),
  },
  compose: ({ store, bus, config, metrics }) => {
    const limit = metrics.gauge('rush_limit', 'Players that make a rush');
    limit.set(config.RUSH_PLAYERS);
    return {
      routes: busyHourRoutes(store),
      components: [() => bus.consume({ queue: 'series-api', handlers: [rushHandler(store)] })],
    };
  },
});
