import { operations } from '@lobbystats/contracts';
import { tokenHash } from '@lobbystats/service-kit';
import { runModerationCommand, startServices } from './running-services.ts';

const URL_OF_DISCORD = 'https://discord.com/api/webhooks/100000000000000001/a-token-of-a-webhook';

it('stops all channels of a user, whatever they are called, and starts them again', async () => {
  const { directory, asUser } = await startServices();
  const env = { DATA_DIR: directory };
  expect(await runModerationCommand(env, 'stop-channels', 'Nobody at all')).toMatchObject({ code: 1 });
  const add = (name: string) =>
    asUser('Marlow', operations.addChannel.path, 'POST', { kind: 'discord', name, url: URL_OF_DISCORD });
  for (const name of ['one', 'two']) expect(await add(name)).toMatchObject({ status: 200 });
  const states = async () => {
    const { body } = await asUser('Marlow', operations.listChannels.path);
    return (body as { channels: { state: string }[] }).channels.map(({ state }) => state);
  };
  expect(await runModerationCommand(env, 'stop-channels', 'marlow')).toMatchObject({
    code: 0,
    out: expect.stringMatching(/^All channels of marlow are stopped/) as unknown,
  });
  expect(await states()).toEqual(['stopped', 'stopped']);
  for (const name of ['two', 'Two again']) expect(await add(name)).toMatchObject({ status: 403 });
  const [test, remove] = [operations.testChannel, operations.removeChannel].map(({ path }) =>
    path.replace(':channel', 'two'),
  ) as [string, string];
  expect(await asUser('Marlow', test, 'POST')).toMatchObject({ status: 403 });
  expect(await asUser('Marlow', remove, 'DELETE')).toMatchObject({ status: 403 });
  for (const [command, out] of [
    ['stop-channels', /^Nothing to do/],
    ['start-channels', /started again/],
    ['start-channels', /^Nothing to do/],
  ] as const) {
    const pattern = expect.stringMatching(out) as unknown;
    expect(await runModerationCommand(env, command, 'Marlow')).toMatchObject({ code: 0, out: pattern });
  }
  expect(await states()).toEqual(['active', 'active']);
  expect(await add('three')).toMatchObject({ status: 200 });
});

it('stops a user who has no channels, and a feed, which starts again at the same address', async () => {
  const { directory, asUser } = await startServices();
  const env = { DATA_DIR: directory };
  const make = () => asUser('Marlow', operations.addChannel.path, 'POST', { kind: 'feed', name: 'reader' });
  const { body } = await make();
  const token = new URL((body as { feedUrl: string }).feedUrl).searchParams.get('token') ?? '';
  const read = operations.listFeedNotifications.path.replace(':feed', tokenHash(token));
  const status = async () => (await asUser('Marlow', read)).status;
  expect(await status()).toBe(200);
  expect(await runModerationCommand(env, 'stop-channels', 'Marlow')).toMatchObject({ code: 0 });
  expect(await status()).toBe(404);
  expect(await make()).toMatchObject({ status: 403 });
  expect(await runModerationCommand(env, 'start-channels', 'Marlow')).toMatchObject({ code: 0 });
  expect(await status()).toBe(200);
  const remove = operations.removeChannel.path.replace(':channel', 'reader');
  await asUser('Marlow', remove, 'DELETE');
  expect(await runModerationCommand(env, 'stop-channels', 'Marlow')).toMatchObject({ code: 0 });
  expect(await make()).toMatchObject({ status: 403 });
});
