import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryDirectory } from '@lobbystats/test-kit';
import { readStandalone } from '../../src/operator/command/deployment.ts';
import { migrate } from '../../src/operator/migrate/migrate.ts';
import { readAllRows } from './read-all-rows.ts';
import { seedStandalone, startServices } from './seed-standalone.ts';
import { publicResponses } from './public-responses.ts';
import { createTestDeployment, type TestDeployment } from './test-deployment.ts';

const terminal = { out: () => undefined, error: () => undefined };

describe('migrate', () => {
  let corner: TestDeployment;
  let directory: string;
  let answers: unknown;
  let refusal: unknown;
  beforeAll(async () => {
    corner = await createTestDeployment();
    directory = join(temporaryDirectory('file'), 'data');
    await seedStandalone(directory);
    writeFileSync(join(directory, 'erasure.key'), 'a-key-of-tests-alone');
    const services = await startServices({ DIRECTORY: directory });
    answers = await publicResponses(services);
    refusal = await carry().catch((error: unknown) => error);
    await services.stop();
  });

  const carry = (force = false, servers = corner.servers) => {
    const options = { force, leave: false, clock: Date.now, terminal, databases: corner.databases };
    return migrate(readStandalone({ DATA_DIR: directory }), servers, options);
  };

  it('the servers give the same responses as the standalone, which stays unchanged', async () => {
    // A migration is refused while the standalone runs.
    expect(refusal).toMatchObject({ message: expect.stringContaining('is in use') });
    const before = readAllRows(directory);
    await expect(carry(false, { ...corner.servers, erasureKey: undefined })).rejects.toThrow('ERASURE_KEY');
    const { parts } = await carry();
    expect(readAllRows(directory)).toEqual(before);
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
    expect(await publicResponses(services)).toEqual(answers);
    await services.stop();
    await expect(carry()).rejects.toThrow('--force');
    await carry(true);
  });
});
