import { operations, type OperationResponse } from '@lobbystats/contracts';
import { eventually, getJson } from '@lobbystats/test-kit';
import type { Outbound } from '../src/channels/endpoints.http.ts';
import { localOutbound } from './channel-receiver.ts';
import { runNotifications, TITLE } from './running-notifications.ts';
import { sessionKeyOf } from './running-user-api.ts';

const { addChannel, listChannels, listDeliveries, listNotifications, testChannel } = operations;

/** A service that delivers to receivers of this machine, and a followed game. */
export async function runDeliveries(options: { discordUrl?: string; outbound?: Outbound } = {}) {
  const running = await runNotifications({
    outbound: options.outbound ?? localOutbound(),
    ...(options.discordUrl !== undefined && { env: { DISCORD_API_URL: options.discordUrl } }),
  });
  const { users, slot, follow } = running;
  await follow('game', TITLE);
  await slot(0, {});
  const ask = async <Body>(path: string, method = 'GET') =>
    (await getJson<Body>(users.url + path, { method, headers: { 'X-Session-Key': sessionKeyOf('EmberFox') } })).body;
  const ofChannel = ({ path }: { path: string }, name: string) => path.replace(':channel', name);
  const add = async (channel: object) =>
    (await users.send<OperationResponse<typeof addChannel>>(addChannel.path, channel)).body;
  const channel = async (name: string) =>
    (await ask<OperationResponse<typeof listChannels>>(listChannels.path)).channels.find((one) => one.name === name);
  return {
    ...running,
    add,
    channel,
    pushKey: async () => (await ask<OperationResponse<typeof listChannels>>(listChannels.path)).pushKey,
    test: (name: string) => ask(ofChannel(testChannel, name), 'POST'),
    deliveries: async (name: string) =>
      (await ask<OperationResponse<typeof listDeliveries>>(ofChannel(listDeliveries, name))).deliveries,
    notification: async () =>
      (await ask<OperationResponse<typeof listNotifications>>(listNotifications.path)).notifications[0],
    /** Adds a webhook, and waits until its receiver has confirmed it. */
    confirmed: async (name: string, url: string) => {
      const added = await add({ kind: 'webhook', name, url });
      await eventually(async () => {
        expect(await channel(name)).toMatchObject({ state: 'active' });
      });
      return added.secret ?? '';
    },
    later: (seconds: number) => {
      users.clock.nowMs += seconds * 1000;
    },
  };
}
