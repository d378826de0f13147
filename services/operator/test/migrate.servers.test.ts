import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryDirectory } from '@lobbystats/test-kit';
import { readStandalone } from '../src/command/deployment.ts';
import { migrate } from '../src/migrate/migrate.ts';
import { contentsOf } from './contents.ts';
import { fillStandalone, startServices } from './filled-standalone.ts';
import { publicAnswers } from './public-answers.ts';
import { serverCorner, type Corner } from './server-corner.ts';

jest.setTimeout(240_000);

const terminal = { out: () => undefined, error: () => undefined };

describe('npm run migrate', () => {
  let corner: Corner;
  let directory: string;
  let answers: unknown;
  let refusal: unknown;
  beforeAll(async () => {
    corner = await serverCorner();
    directory = join(temporaryDirectory('file'), 'data');
    await fillStandalone(directory);
    writeFileSync(join(directory, 'forgotten.key'), 'a-key-of-tests-alone');
    const services = await startServices({ DIRECTORY: directory });
    answers = await publicAnswers(services);
    refusal = await carry().catch((error: unknown) => error);
    await services.stop();
  }, 240_000);

  const carry = (force = false, servers = corner.servers) => {
    const options = { force, leave: false, clock: Date.now, terminal, databases: corner.databases };
    return migrate(readStandalone({ DATA_DIR: directory }), servers, options);
  };

  it('has the same answers before and after, and leaves the standalone as it was', async () => {
    // While it ran, nothing was taken over.
    expect(refusal).toMatchObject({ message: expect.stringContaining('is in use') });
    const before = contentsOf(directory);
    await expect(carry(false, { ...corner.servers, forgottenKey: undefined })).rejects.toThrow('FORGOTTEN_KEY');
    const { parts } = await carry();
    expect(contentsOf(directory)).toEqual(before);
    const counts = Object.assign({}, ...parts.map((part) => part.counts));
    expect(counts).toMatchObject({
      'site.online': 24,
      'title.online': 48,
      user: 2,
      rating: 1,
      event: 2,
      definition: expect.any(Number),
      change: expect.any(Number),
    });
    const services = await startServices({ DIRECTORY: temporaryDirectory(), ...corner.env });
    expect(await publicAnswers(services)).toEqual(answers);
    await services.stop();
    await expect(carry()).rejects.toThrow('--force');
    await carry(true);
  });
});
