import { join } from 'node:path';
import { operations, type SampleValues } from '@lobbystats/contracts';
import { createSimulator, type Simulator } from '@lobbystats/simulator';
import { cleanUp, eventually, fixedClock, temporaryDirectory } from '@lobbystats/test-kit';
import { chooseSamples } from '../standalone/choose-samples.ts';
import { REPOSITORY, upgradeSuite } from './predecessor.ts';
import { operationsOf, readOperations, readResponses } from './read-responses.ts';
import { extractRelease, installRelease } from './release-tree.ts';
import { runReleaseCli, startRelease, type RunningRelease } from './running-release.ts';
import { openSession, writeUserContent, type Session } from './user-content.ts';

const clock = fixedClock('2026-01-31T12:00:05Z');
const WORLD = { titles: 40, openMatches: 60, players: 400, boards: 400, entries: 4000 };
const BACKFILL = {
  BACKFILL_DAYS: '3',
  BACKFILL_REGISTERED_DAYS: '10',
  BACKFILL_LEADERBOARD_DAYS: '2',
  BACKFILL_PLAY_TIME_DAYS: '2',
  PUBLIC_URL: 'http://127.0.0.1:8080',
};
const WITHIN_MINUTES = { timeoutMs: 90_000, everyMs: 500 };

const { commit, suite } = upgradeSuite();

suite('upgrade of a standalone from the predecessor', () => {
  let old: string;
  let simulator: Simulator;
  let networkUrl: string;
  let sessions: Session[];
  let samples: SampleValues;
  /** A system that only ever ran this release, on the same network at the same time. */
  let fresh: RunningRelease;
  let backup: string;
  let oldData: string;
  let predecessor: RunningRelease;
  /** Data of a predecessor that was killed in its backfill. */
  let interruptedData: string;

  const start = (tree: string, data: string) => startRelease({ tree, data, networkUrl, nowMs: clock(), env: BACKFILL });
  const read = (url: string, asked = readOperations) => readResponses(url, asked, samples, sessions[0]!);
  const fill = async ({ url }: RunningRelease) => {
    const chosen = await eventually(
      () => chooseSamples({ url, networkUrl, simulator, clock }, () => true),
      WITHIN_MINUTES,
    );
    await writeUserContent(url, sessions);
    return chosen;
  };
  const expectLikeFresh = ({ url }: RunningRelease) =>
    eventually(async () => expect(await read(url)).toEqual(await read(fresh.url)), WITHIN_MINUTES);

  const interruptBackfill = async (data: string) => {
    const { url, stop } = await start(old, data);
    await eventually(async () => {
      const response = await fetch(`${url}${operations.getOnlineSeries.path}?days=30`);
      expect(await response.json()).not.toHaveLength(0);
    }, WITHIN_MINUTES);
    await stop('SIGKILL');
    // Past the leases of the killed process, within the same slot.
    clock.advance(60);
  };

  beforeAll(async () => {
    old = temporaryDirectory('file');
    extractRelease(commit, old);
    installRelease(old);
    simulator = createSimulator({ ...WORLD, clock });
    cleanUp(() => simulator.stop(), 'file');
    networkUrl = (await simulator.start()).url;
    sessions = await Promise.all(simulator.accounts.slice(0, 3).map((one) => openSession(networkUrl, one)));
    interruptedData = temporaryDirectory('file');
    await interruptBackfill(interruptedData);
    oldData = temporaryDirectory('file');
    predecessor = await start(old, oldData);
    samples = await fill(predecessor);
    fresh = await start(REPOSITORY, temporaryDirectory('file'));
    await fill(fresh);
  });

  it('every route of the predecessor answers as before, with at most new fields', async () => {
    const asked = operationsOf(old);
    await eventually(
      async () => expect(await read(fresh.url, asked)).toMatchObject(await read(predecessor.url, asked)),
      WITHIN_MINUTES,
    );
    backup = join(temporaryDirectory('file'), 'backup');
    await runReleaseCli(old, ['backup', '--to', backup], { DATA_DIR: oldData });
  });

  it('this release on the data of the predecessor answers like one that was filled by itself', async () => {
    expect(await predecessor.stop()).toBe(0);
    const upgraded = await start(REPOSITORY, oldData);
    await expectLikeFresh(upgraded);
    expect(await upgraded.stop()).toBe(0);
  });

  it('a backup of the predecessor is restored by this release', async () => {
    const data = join(temporaryDirectory(), 'restored');
    const output = await runReleaseCli(REPOSITORY, ['restore', '--from', backup], { DATA_DIR: data });
    expect(output).toContain('all counts match the backup');
    const restored = await start(REPOSITORY, data);
    await expectLikeFresh(restored);
    expect(await restored.stop()).toBe(0);
  });

  it('this release completes a backfill in which the predecessor was killed', async () => {
    const continued = await start(REPOSITORY, interruptedData);
    await fill(continued);
    await expectLikeFresh(continued);
    expect(await continued.stop()).toBe(0);
  });
});
