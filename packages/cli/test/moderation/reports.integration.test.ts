import { runModerationCommand, startServices } from './running-services.ts';

describe('reports of comments', () => {
  it('are listed with escaped texts until they are settled', async () => {
    const { directory, report } = await startServices();
    const env = { DATA_DIR: directory };
    const none = { code: 0, out: 'There are no open reports.\n', error: '' };
    expect(await runModerationCommand(env, 'reports')).toEqual(none);
    expect(await report('EmberFox', 'Marlow', 'Rude \u202e "words"')).toMatchObject({ status: 200 });
    const [comment, reason] = ['"of Marlow"', String.raw`"Rude \u202e \"words\""`];
    const out = `2027-01-15 08:00:00 Marlow on EmberFox: reported ${comment}; now the same; reason: ${reason}\n`;
    expect(await runModerationCommand(env, 'reports')).toEqual({ code: 0, out, error: '' });
    expect(await runModerationCommand(env, 'dismiss', 'marlow', 'EmberFox', '2027-01-15 07:00:00')).toMatchObject({
      code: 1,
      error: expect.stringContaining('again meanwhile'),
    });
    expect(await runModerationCommand(env, 'dismiss', 'marlow', 'EmberFox', '2027-01-15 08:00:00')).toMatchObject({
      code: 0,
      out: 'The report of the comment of marlow on EmberFox is dismissed.\n',
    });
    expect(await runModerationCommand(env, 'reports')).toEqual(none);
    expect(await runModerationCommand(env, 'dismiss', 'marlow', 'EmberFox')).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^Nothing to do/),
    });
    expect(await report('EmberFox', 'Marlow', '')).toMatchObject({ status: 200 });
    expect((await runModerationCommand(env, 'reports')).out).toMatch(
      /reported "of Marlow"; now the same; reason: none\n$/,
    );
    await runModerationCommand(env, 'hide', 'Marlow', 'EmberFox');
    expect(await runModerationCommand(env, 'reports')).toEqual(none);
  });
});
