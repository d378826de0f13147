import { operations } from '@lobbystats/contracts';
import { tokenHash } from '@lobbystats/service-kit';
import { runModerationCommand, startServices } from './running-services.ts';

it('stops channels of a user, which their owner can not start, and starts them again', async () => {
  const { directory, asUser } = await startServices();
  const env = { DATA_DIR: directory };
  expect(await runModerationCommand(env, 'stop-channels', 'Marlow')).toMatchObject({ code: 1 });
  const url = 'https://discord.com/api/webhooks/100000000000000001/a-token-of-a-webhook';
  for (const name of ['one', 'two']) {
    await asUser('Marlow', operations.addChannel.path, 'POST', { kind: 'discord', name, url });
  }
  const states = async () => {
    const { body } = await asUser('Marlow', operations.listChannels.path);
    return (body as { channels: { state: string }[] }).channels.map(({ state }) => state);
  };
  expect(await runModerationCommand(env, 'stop-channels', 'marlow', 'two')).toMatchObject({
    code: 0,
    out: 'The channel two of marlow: stopped: nothing is delivered, and the owner can not start them.\n',
  });
  expect(await states()).toEqual(['active', 'stopped']);
  const test = operations.testChannel.path.replace(':channel', 'two');
  expect(await asUser('Marlow', test, 'POST')).toMatchObject({ status: 403 });
  const remove = operations.removeChannel.path.replace(':channel', 'two');
  expect(await asUser('Marlow', remove, 'DELETE')).toMatchObject({ status: 403 });
  expect(await runModerationCommand(env, 'stop-channels', 'Marlow', 'three')).toMatchObject({ code: 1 });
  expect(await runModerationCommand(env, 'stop-channels', 'Marlow')).toMatchObject({ code: 0 });
  expect(await states()).toEqual(['stopped', 'stopped']);
  expect(await runModerationCommand(env, 'start-channels', 'Marlow')).toMatchObject({ code: 0 });
  expect(await states()).toEqual(['active', 'active']);
  expect(await runModerationCommand(env, 'start-channels', 'Marlow')).toMatchObject({
    code: 0,
    out: expect.stringMatching(/^Nothing to do/),
  });
});

it('stops a feed, which its owner can not renew, and starts it again at the same address', async () => {
  const { directory, asUser } = await startServices();
  const env = { DATA_DIR: directory };
  const make = () => asUser('Marlow', operations.addChannel.path, 'POST', { kind: 'feed', name: 'reader' });
  const { body } = await make();
  const token = new URL((body as { feedUrl: string }).feedUrl).searchParams.get('token') ?? '';
  const read = operations.listFeedNotifications.path.replace(':feed', tokenHash(token));
  const status = async () => (await asUser('Marlow', read)).status;
  expect(await status()).toBe(200);
  expect(await runModerationCommand(env, 'stop-channels', 'Marlow', 'reader')).toMatchObject({ code: 0 });
  expect(await status()).toBe(404);
  expect(await make()).toMatchObject({ status: 403 });
  expect(await runModerationCommand(env, 'start-channels', 'Marlow', 'reader')).toMatchObject({ code: 0 });
  expect(await status()).toBe(200);
});
