import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { operations, parseInstant, type SampleValues } from '@lobbystats/contracts';
import { createSimulator } from '@lobbystats/simulator';
import { cleanUp, eventually, temporaryDirectory } from '@lobbystats/test-kit';
import { simulatorService } from '@lobbystats/test-kit/compose-project';
import { docker } from '@lobbystats/test-kit/docker';
import { deadLetters } from '../faults/dead-letters.ts';
import { chooseSamples } from '../standalone/choose-samples.ts';
import { REPOSITORY, upgradeSuite } from '../upgrade/predecessor.ts';
import { operationsOf, readOperations, readResponses, type Responses } from '../upgrade/read-responses.ts';
import { extractRelease, installRelease } from '../upgrade/release-tree.ts';
import { runReleaseCli } from '../upgrade/running-release.ts';
import { openSession, writeUserContent } from '../upgrade/user-content.ts';
import { expectHealthy, newestPoint, type LobbyPoint } from './newest-slot.ts';
import {
  compose as composeOfStack,
  composeArgs,
  expectBackfilled,
  expectNoMessages,
  gatewayUrl as url,
  stack,
} from './stack.ts';

jest.setTimeout(900_000);

const networkUrl = String(process.env['TEST_SIMULATOR_URL']);
/** A small network: most of the time would go into its past otherwise. */
const WORLD = { titles: 40, boards: 200, entries: 20_000, players: 2500, boardChanges: 0.1 };
const simulator = createSimulator(WORLD);
const envFile = String(composeArgs[composeArgs.indexOf('--env-file') + 1]);
const WITHIN_MINUTES = { timeoutMs: 600_000, everyMs: 1000 };
/** No service that observes: the data stays the same. */
const WITHOUT_COLLECTOR = ['up', '-d', '--wait', '--scale', 'collector=0'];
/** Periods that contain all data, so that none leaves them during the upgrade. */
const WHOLE_PERIODS = {
  [operations.getOnlineSeries.id]: { days: '30', resolution: '60' },
  [operations.getLobbySeries.id]: { days: '30', resolution: '60' },
  [operations.getOnlineSummary.id]: { period: '7d' },
  [operations.getTitleOnlineHistory.id]: { hours: '720', resolution: '60' },
  [operations.getMatchHistory.id]: { hours: '720', limit: '20' },
  [operations.compareGames.id]: { days: '30', resolution: '60' },
  [operations.getRanking.id]: { period: '30d' },
};
/** Routes of the hours until now: these move on during the upgrade. */
const OF_LAST_HOURS: ReadonlySet<string> = new Set([operations.getMatches.id, operations.getMatchStats.id]);
/** Fields that no backup has: who is online now, and what the running collector has filled. */
const NOT_IN_BACKUPS: ReadonlySet<string> = new Set(['lastState', 'currentGame', 'backfill']);

const worldFile = join(temporaryDirectory('file'), 'world.json');
writeFileSync(worldFile, JSON.stringify({ services: simulatorService(WORLD) }));
const withWorld = [...composeArgs, '-f', worldFile];
const compose = (...args: string[]) => docker([...withWorld, ...args]);

const { commit, suite } = upgradeSuite();

suite('upgrade of the stack from the predecessor', () => {
  let tree: string;
  let samples: SampleValues;
  let before: Responses;
  let backup: string;

  /** Compose with the files, settings and project of this stack, and the predecessor's services. */
  const composeOld = (...args: string[]) => {
    const file = (text: string) =>
      text === join(REPOSITORY, 'docker-compose.yml') ? join(tree, 'docker-compose.yml') : text;
    // Its profile `analysts` is the endpoint with TLS, which needs certificates.
    return docker([...withWorld.map(file), ...args], {
      LOBBYSTATS_TAG: 'predecessor',
      COMPOSE_PROFILES: 'simulator',
    });
  };
  const read = async (asked = operationsOf(tree)) => {
    const whole = asked
      .filter(({ id }) => !OF_LAST_HOURS.has(id))
      .map(({ sample, ...operation }) => ({
        ...operation,
        sample: { query: { ...sample?.query, ...WHOLE_PERIODS[operation.id] } },
      }));
    const session = await openSession(networkUrl, simulator.accounts[0]!);
    return readResponses(url, whole, samples, session);
  };
  /** @throws Error while a route is unavailable */
  const readWhole = async (asked?: Parameters<typeof read>[0]) => {
    const responses = await read(asked);
    const failed = Object.entries(responses).filter(([, { status }]) => status !== 200);
    if (failed.length > 0) throw new Error(JSON.stringify(failed));
    return responses;
  };
  /** @param shown the part of a response that must be as it was */
  const expectAsBefore = (shown = (response: unknown) => response) =>
    eventually(async () => {
      const now = await read();
      // One by one, so that a failure shows one response and not a hundred.
      for (const [id, response] of Object.entries(before)) {
        expect({ id, response: now[id] }).toMatchObject({ id, response: shown(response) });
      }
    }, WITHIN_MINUTES);

  beforeAll(async () => {
    tree = temporaryDirectory('file');
    extractRelease(commit, tree);
    installRelease(tree);
    await compose('down', '-v', '-t', '2');
    // Later suites expect the stack of this release.
    cleanUp(() => composeOfStack('up', '-d', '--wait'), 'file');
    await composeOld('up', '-d', '--wait', '--build');
    await eventually(expectBackfilled, WITHIN_MINUTES);
    samples = await eventually(
      () => chooseSamples({ url, networkUrl, simulator, clock: Date.now }, () => true),
      WITHIN_MINUTES,
    );
    const sessions = await Promise.all(simulator.accounts.slice(0, 3).map((one) => openSession(networkUrl, one)));
    await writeUserContent(url, sessions);
    await composeOld('stop', 'collector');
    await eventually(expectNoMessages, WITHIN_MINUTES);
    before = await eventually(() => readWhole(), WITHIN_MINUTES);
    backup = join(temporaryDirectory('file'), 'backup');
    await runReleaseCli(tree, ['backup', '--to', backup, '--env-file', envFile], environment());
  }, 1_800_000);

  it('docker compose up with this release keeps the data of the predecessor, and serves every route', async () => {
    await compose(...WITHOUT_COLLECTOR);
    await expectAsBefore();
    // The users of the predecessor have no channels, whose deliveries could be listed.
    const asked = readOperations.filter(({ id }) => id !== operations.listDeliveries.id);
    const routes = await eventually(() => readWhole(asked), WITHIN_MINUTES);
    expect(routes).toMatchObject({
      getNetworkRecords: { body: { online: { count: expect.any(Number) } } },
      suggestNames: { body: { suggestions: expect.arrayContaining([expect.anything()]) } },
    });
  });

  it('the new services observe, and no message of either release is a dead letter', async () => {
    const { recorded_at: last } = (await newestPoint<LobbyPoint>(operations.getLobbySeries.path))!;
    await compose('up', '-d', '--wait');
    await eventually(async () => {
      await expectHealthy();
      const point = await newestPoint<LobbyPoint>(operations.getLobbySeries.path);
      expect(parseInstant(point!.recorded_at)).toBeGreaterThan(parseInstant(last));
    }, WITHIN_MINUTES);
    expect(await deadLetters(stack)).toEqual([]);
    const doctor = await runReleaseCli(REPOSITORY, ['doctor', '--settings', envFile], environment());
    expect(doctor).not.toMatch(/^fault/m);
  });

  it('a backup of the predecessor is restored by this release', async () => {
    await compose('down', '-v', '-t', '2');
    await compose('up', '-d', '--wait', 'rabbitmq', 'influxdb', 'mongodb');
    await compose('run', '--rm', 'init');
    const restore = ['restore', '--from', backup, '--settings', envFile];
    expect(await runReleaseCli(REPOSITORY, restore, environment())).toContain('all counts match the backup');
    await compose(...WITHOUT_COLLECTOR);
    await expectAsBefore(restoredPart);
  });
});

function restoredPart(response: unknown): unknown {
  return JSON.parse(JSON.stringify(response), (name, value: unknown) => (NOT_IN_BACKUPS.has(name) ? undefined : value));
}

function environment(): Record<string, string> {
  return { PATH: String(process.env['PATH']) };
}
