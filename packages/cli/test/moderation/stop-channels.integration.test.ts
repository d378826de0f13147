import { operations } from '@lobbystats/contracts';
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
