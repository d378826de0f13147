import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SLOT_SECONDS } from '@lobbystats/contracts';
import { eventually, temporaryDirectory } from '@lobbystats/test-kit';
import { readStandalone } from '../../src/operator/command/deployment.ts';
import { migrate } from '../../src/operator/migrate/migrate.ts';
import { withdraw, withdrawFromServers, type WithdrawalTask } from '../../src/operator/slots/withdraw.ts';
import { publicResponses } from './public-responses.ts';
import { NOW, seedStandalone, startServices } from './seed-standalone.ts';
import { createTestDeployment } from './test-deployment.ts';

const silent = { out: () => undefined, error: () => undefined };

/** The same data in files of npm start and in servers. */
async function createBoth() {
  const { servers, databases, env } = await createTestDeployment();
  const directory = join(temporaryDirectory('file'), 'data');
  await seedStandalone(directory);
  writeFileSync(join(directory, 'erasure.key'), 'a-key-of-tests-alone');
  const standalone = readStandalone({ DATA_DIR: directory });
  await migrate(standalone, servers, { force: false, leave: false, clock: Date.now, terminal: silent, databases });
  const at = {
    origin: 'simulated',
    catalog: String(env['CATALOG_DATABASE_URL']),
    users: String(env['USERS_DATABASE_URL']),
  };
  return {
    ...{ standalone, directory, env },
    withdrawFrom: {
      files: (task: WithdrawalTask) => withdraw(standalone, task),
      servers: (task: WithdrawalTask) => withdrawFromServers(servers, task, at),
    },
    settings: [{ DIRECTORY: directory }, { DIRECTORY: temporaryDirectory(), ...env }],
  };
}

const extent = { changes: true, playTime: true, unlocks: true };

it('slots withdraw leaves the same in servers as in the files of npm start', async () => {
  const { withdrawFrom, settings } = await createBoth();
  const printed: string[] = [];
  const task = (isDryRun: boolean): WithdrawalTask => ({
    withdrawal: { fromInclusive: NOW - 15 * SLOT_SECONDS, toInclusive: NOW - 2 * SLOT_SECONDS },
    ...{ extent, isDryRun, clock: Date.now },
    terminal: { ...silent, out: (text) => void printed.push(text) },
  });

  for (const isDryRun of [true, false]) {
    const before = printed.length;
    expect(await withdrawFrom.files(task(isDryRun))).toBe(true);
    const ofFiles = printed.splice(before);
    expect(await withdrawFrom.servers(task(isDryRun))).toBe(true);
    expect(printed.splice(before)).toEqual(ofFiles);
    expect(ofFiles[0]).toMatch(/: 14 slots, 28 snapshots of titles/);
  }

  const responses = [];
  for (const each of settings) {
    const services = await startServices(each);
    responses.push(await publicResponses(services).finally(() => services.stop()));
  }
  expect(responses[1]).toEqual(responses[0]);
});

it('slots withdraw is refused while series-api runs', async () => {
  const { servers, env } = await createTestDeployment();
  const services = await startServices({ DIRECTORY: temporaryDirectory(), ...env });
  const withdrawal = { fromInclusive: NOW, toInclusive: NOW };
  const task = { withdrawal, extent, isDryRun: true, clock: Date.now, terminal: silent };
  try {
    // The broker counts consumers every few seconds.
    await eventually(
      () => expect(withdrawFromServers(servers, task)).rejects.toThrow('series-api runs: stop it first'),
      { timeoutMs: 90_000 },
    );
  } finally {
    await services.stop();
  }
});
