import { operations } from '@lobbystats/contracts';
import { route, type Route } from '@lobbystats/service-kit';
import type { Channels } from './channels.ts';
import type { Feeds } from './feeds.ts';

export function channelRoutes(channels: Channels, feeds: Feeds): Route[] {
  return [
    route(operations.listChannels, async ({ caller }) => ({ body: await channels.list(caller.username) })),
    route(operations.addChannel, async ({ caller, body }) => ({ body: await channels.add(caller.username, body) })),
    route(operations.removeChannel, async ({ caller, params: { channel } }) => ({
      body: { removed: await channels.remove(caller.username, channel) },
    })),
    route(operations.testChannel, async ({ caller, params: { channel } }) => ({
      body: await channels.test(caller.username, channel),
    })),
    route(operations.listDeliveries, async ({ caller, params: { channel } }) => ({
      body: await channels.deliveries(caller.username, channel),
    })),
    route(operations.listFeedNotifications, async ({ params: { feed } }) => ({
      body: await feeds.notifications(feed),
    })),
    route(operations.listFeedEvents, async ({ params: { feed } }) => ({ body: await feeds.events(feed) })),
  ];
}
