import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { commentHidden, commentShown, raterBarred, userErased, userStored } from '@lobbystats/contracts';
import type { MessageBus } from '@lobbystats/service-kit/bus';
import { eventually, temporaryDirectory } from '@lobbystats/test-kit';
import { ERASURE_KEY, runModerationCommand, startServices } from './running-services.ts';

const readFactTypes = async (bus: MessageBus) => {
  const types: string[] = [];
  const reader = await bus.readLog({
    from: 'start',
    onEntry: ({ message }) => void types.push(message.type),
    onFault: (error) => {
      throw error;
    },
  });
  return { types, stop: () => reader.stop() };
};

describe('moderate beside running services', () => {
  it('hides a comment, still counts its stars, and shows it again', async () => {
    const { directory, bus, reputationOf, rate } = await startServices();
    const env = { DATA_DIR: directory };
    expect(await runModerationCommand(env, 'hide', 'MARLOW', 'emberfox')).toMatchObject({
      code: 0,
      out: 'Comments of MARLOW on emberfox are hidden, later ones too. The stars still count.\n',
    });
    expect((await reputationOf('EmberFox')).body).toMatchObject({
      ratingCount: 1,
      feedback: [{ raterUsername: 'Marlow', comment: null, stars: 1 }],
    });
    expect(await rate('Marlow', 'EmberFox')).toMatchObject({ status: 200, body: { viewer: { comment: null } } });
    expect(await runModerationCommand(env, 'hide', 'Marlow', 'EmberFox')).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^Nothing to do/),
    });
    expect(await runModerationCommand(env, 'show', 'marlow', 'EmberFox')).toMatchObject({
      code: 0,
      out: 'Comments of marlow on EmberFox are shown again.\n',
    });
    expect((await reputationOf('EmberFox')).body).toMatchObject({ feedback: [{ comment: 'of Marlow' }] });
    expect(await runModerationCommand(env, 'show', 'Marlow', 'EmberFox')).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^Nothing to do/),
    });
    const log = await readFactTypes(bus);
    await eventually(() => {
      expect(log.types.filter((type) => type.startsWith('comment.'))).toEqual([commentHidden.key, commentShown.key]);
    });
    await log.stop();
  });

  it('bars a rater and publishes it', async () => {
    const { directory, bus, reputationOf, rate } = await startServices();
    const env = { DATA_DIR: directory };
    expect(await runModerationCommand(env, 'bar', 'Marlow')).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^Marlow is barred/),
    });
    expect((await reputationOf('EmberFox')).body).toMatchObject({ ratingCount: 0, feedback: [] });
    expect(await rate('Marlow', 'EmberFox')).toMatchObject({ status: 403 });
    expect(await runModerationCommand(env, 'bar', 'Marlow')).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^Nothing to do/),
    });
    const log = await readFactTypes(bus);
    await eventually(() => {
      expect(log.types).toContain(raterBarred.key);
    });
    await log.stop();
  });

  it('erases a user in both services and prints what was erased and what remains', async () => {
    const { directory, bus, profileOf, reputationOf, rate } = await startServices();
    writeFileSync(join(directory, 'erasure.key'), `${ERASURE_KEY}\n`);
    const env = { DATA_DIR: directory };
    const { code, out } = await runModerationCommand(env, 'erase', 'emberfox');
    expect(code).toBe(0);
    expect(out).toMatch(/^emberfox is erased\./);
    for (const words of ['play time', 'ratings', 'the network’s leaderboards', 'retention', 'backups']) {
      expect(out.replaceAll("'", '’')).toContain(words);
    }
    expect(await profileOf('EmberFox')).toMatchObject({ status: 404 });
    const log = await readFactTypes(bus);
    await eventually(async () => {
      expect(log.types).toContain(userErased.key);
      expect(await reputationOf('EmberFox')).toMatchObject({ status: 404 });
      expect((await reputationOf('Marlow')).body).toMatchObject({ ratingCount: 0 });
    });
    await log.stop();
    expect(await rate('EmberFox', 'Marlow')).toMatchObject({ status: 403 });
    expect(await runModerationCommand(env, 'erase', 'EmberFox')).toMatchObject({
      code: 0,
      out: 'Nothing to do: EmberFox was erased before. The fact is published again.\n',
    });
    const again = await readFactTypes(bus);
    await eventually(() => {
      expect(again.types.filter((type) => type === userErased.key)).toHaveLength(2);
    });
    await again.stop();
  });

  it('repeats erasures of a list of hashes where an older backup was restored', async () => {
    const erased = await startServices();
    writeFileSync(join(erased.directory, 'erasure.key'), `${ERASURE_KEY}\n`);
    await runModerationCommand({ DATA_DIR: erased.directory }, 'erase', 'EmberFox');
    const { code, out: list } = await runModerationCommand({ DATA_DIR: erased.directory }, 'erased');
    expect([code, list.toLowerCase().includes('ember')]).toEqual([0, false]);

    const restored = await startServices();
    const file = join(restored.directory, 'erased.txt');
    writeFileSync(file, list);
    writeFileSync(join(restored.directory, 'erasure.key'), `${ERASURE_KEY}\n`);
    const env = { DATA_DIR: restored.directory };
    const again = await runModerationCommand(env, 'erase-again', file);
    expect(again).toMatchObject({ code: 0, out: expect.stringMatching(/^1 user is erased again/) });
    expect(await restored.profileOf('EmberFox')).toMatchObject({ status: 404 });
    expect(await restored.profileOf('Marlow')).toMatchObject({ status: 200 });
    await eventually(async () => expect(await restored.reputationOf('EmberFox')).toMatchObject({ status: 404 }));
    expect(await runModerationCommand(env, 'erase-again', file)).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^0 users/),
    });
    expect((await runModerationCommand(env, 'erased')).out).toBe(list);
    writeFileSync(file, 'another\n');
    const refused = await runModerationCommand(env, 'erase-again', file);
    expect(refused).toMatchObject({ code: 1, error: expect.stringContaining('another ERASURE_KEY') });
  });

  it('allows an erased user again, as a new one, in both services', async () => {
    const { directory, bus, profileOf, reputationOf, rate, observe } = await startServices();
    const env = { DATA_DIR: directory, ERASURE_KEY };
    await runModerationCommand(env, 'erase', 'EmberFox');
    await eventually(async () => expect(await rate('EmberFox', 'Marlow')).toMatchObject({ status: 403 }));
    expect(await runModerationCommand(env, 'allow', 'emberfox', 'EmberFox')).toEqual({
      code: 0,
      out: 'emberfox is allowed again, as a new user: what was erased does not come back.\n',
      error: '',
    });
    expect(await runModerationCommand(env, 'allow', 'EmberFox')).toMatchObject({
      code: 0,
      out: 'Nothing to do: EmberFox is not erased.\n',
    });
    await eventually(async () => expect(await rate('EmberFox', 'Marlow')).toMatchObject({ status: 200 }));
    await observe();
    await eventually(async () => {
      expect(await profileOf('EmberFox')).toMatchObject({ status: 200, body: { username: 'EmberFox' } });
      expect((await reputationOf('EmberFox')).body).toMatchObject({ ratingCount: 0, feedback: [] });
    });
    expect(await bus.depth('reputation-api')).toBe(0);
  });

  it('lifts the bar of a rater', async () => {
    const { directory, reputationOf, rate } = await startServices();
    const env = { DATA_DIR: directory };
    await runModerationCommand(env, 'bar', 'Marlow');
    expect(await runModerationCommand(env, 'unbar', 'MARLOW')).toMatchObject({
      code: 0,
      out: 'MARLOW may rate again, and their ratings are shown and counted.\n',
    });
    expect((await reputationOf('EmberFox')).body).toMatchObject({ ratingCount: 1, feedback: [{ stars: 1 }] });
    expect(await rate('Marlow', 'EmberFox')).toMatchObject({ status: 200 });
  });

  it('publishes all users again without the erasure key', async () => {
    const { directory, bus } = await startServices();
    const result = await runModerationCommand({ DATA_DIR: directory }, 'republish');
    expect(result).toEqual({ code: 0, out: expect.stringMatching(/^2 users are published again: /), error: '' });
    const log = await readFactTypes(bus);
    await eventually(() => {
      expect(log.types.filter((type) => type === userStored.key)).toHaveLength(2);
    });
    await log.stop();
  });

  it('reports an unknown name or rating with exit code 1', async () => {
    const { directory } = await startServices();
    const env = { DATA_DIR: directory, ERASURE_KEY };
    const unknown = 'There is no user Nobody.\n';
    expect(await runModerationCommand(env, 'erase', 'Nobody')).toEqual({ code: 1, out: '', error: unknown });
    expect(await runModerationCommand(env, 'bar', 'Nobody')).toEqual({ code: 1, out: '', error: unknown });
    expect(await runModerationCommand(env, 'unbar', 'Nobody')).toEqual({ code: 1, out: '', error: unknown });
    for (const command of ['hide', 'show', 'dismiss']) {
      const error = 'Nobody has not rated Marlow.\n';
      expect(await runModerationCommand(env, command, 'Nobody', 'Marlow')).toEqual({ code: 1, out: '', error });
    }
  });
});

describe('moderate without stores', () => {
  it('creates no store and prints the path where it looked', async () => {
    const directory = temporaryDirectory();
    const env = { DATA_DIR: directory, ERASURE_KEY };
    for (const args of [
      ['erase', 'EmberFox'],
      ['bar', 'EmberFox'],
      ['unbar', 'EmberFox'],
      ['allow', 'EmberFox'],
      ['hide', 'EmberFox', 'Marlow'],
      ['show', 'EmberFox', 'Marlow'],
      ['reports'],
      ['dismiss', 'EmberFox', 'Marlow'],
      ['republish'],
    ]) {
      const { code, error } = await runModerationCommand(env, ...args);
      expect({ code, error }).toMatchObject({
        code: 1,
        error: expect.stringContaining(`there is no store ${directory}/`),
      });
    }
    expect(existsSync(join(directory, 'users.sqlite'))).toBe(false);
  });

  it('requires the erasure key to erase a user, and to allow one again', async () => {
    for (const command of ['erase', 'allow']) {
      const { code, error } = await runModerationCommand({ DATA_DIR: temporaryDirectory() }, command, 'EmberFox');
      expect({ code, error }).toMatchObject({ code: 1, error: expect.stringContaining('ERASURE_KEY must be set') });
    }
  });

  it.each([
    ['an unknown command', ['delete', 'EmberFox']],
    ['a name too few', ['hide', 'EmberFox']],
    ['a name too few', ['show', 'EmberFox']],
    ['a name too many', ['bar', 'EmberFox', 'Marlow']],
    ['no name', ['erase']],
    ['a name for a command without names', ['republish', 'EmberFox']],
    ['an invalid username', ['erase', 'a<b>']],
    ['an unknown option', ['erase', 'EmberFox', '--all']],
  ])('rejects %s as wrong usage', async (_what, args) => {
    const { code, error } = await runModerationCommand({}, ...args);
    expect({ code, error }).toMatchObject({ code: 2, error: expect.stringMatching(/^moderate: .*--help\n$/) });
  });

  it('does not print secrets from settings', async () => {
    const env = { MONGODB_URL: 'mysql://name:password@127.0.0.1/x', ERASURE_KEY };
    const { code, error } = await runModerationCommand(env, 'erase', 'EmberFox');
    expect(code).toBe(1);
    expect(error).toContain('MONGODB_URL must be');
    expect(error).not.toMatch(/password|a-key-of/);
  });
});
