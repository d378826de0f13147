import { once } from 'node:events';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { operations, type OperationResponse, type SampleValues } from '@lobbystats/contracts';
import { cleanUp, eventually, fixedClock, temporaryDirectory } from '@lobbystats/test-kit';
import { freePorts } from '@lobbystats/test-kit/free-ports';
import { sendRequest, type TestRequestOptions, type TestResponse } from '@lobbystats/test-kit/send-request';
import { runSystem, type RunningSystem } from './run-system.ts';
import { pathTo, signInAll, type SignedInUser } from './sign-in.ts';

const DEFINITIONS = join(import.meta.dirname, '../../../../infra/achievements.json');

/** Everybody unlocks this achievement with a rating. Its texts occur nowhere else. */
export const HIDDEN = { key: 'zq-hidden-key', name: 'Zq Hidden Name', description: 'Zq hidden description' };

/** A system with a day of history, and three signed-in users who are known to it. */
export interface AbusedSystem extends RunningSystem {
  readonly users: readonly [SignedInUser, SignedInUser, SignedInUser];
  readonly metricsUrl: string;
  /** Sends a request. @throws Error for a 500, and for a response that violates its contract */
  readonly request: (path: string, options?: TestRequestOptions) => Promise<TestResponse>;
}

export async function startAbusedSystem(): Promise<AbusedSystem> {
  const [port = 0] = await freePorts(1);
  const system = await runSystem({
    clock: fixedClock('2026-01-31T12:00:05Z'),
    world: { titles: 8, openMatches: 4, players: 200, boards: 10, entries: 300 },
    env: {
      // Others use it: where nobody else does, channels may reach this machine.
      PUBLIC_URL: 'https://lobbystats.example',
      BACKFILL_DAYS: '1',
      ...{ ACHIEVEMENTS_FILE: writeDefinitions(), METRICS_PORT: String(port), LOG_LEVEL: 'debug' },
    },
    scope: 'file',
  });
  const request = (path: string, options?: TestRequestOptions) => sendRequest(system.url, path, options);
  const signedIn = await signInAll(system);
  const users = await eventually(
    async () => {
      const { body } = await request(operations.getStatus.path);
      expect(body).toMatchObject({ isBackfilling: false });
      const known: SignedInUser[] = [];
      for (const user of signedIn) {
        const { status } = await request(pathTo(operations.getProfile.path, user.username));
        if (status === 200) known.push(user);
      }
      expect(known.length).toBeGreaterThanOrEqual(3);
      return known as [SignedInUser, SignedInUser, SignedInUser];
    },
    { everyMs: 100 },
  );
  return { ...system, users, request, metricsUrl: `http://127.0.0.1:${port}/metrics` };
}

/** The definitions of the repository, and one more, which is hidden. */
function writeDefinitions(): string {
  const file = join(temporaryDirectory('file'), 'achievements.json');
  const { achievements, ...rest } = JSON.parse(readFileSync(DEFINITIONS, 'utf8')) as {
    achievements: { key: string; id: number }[];
  };
  const visible = achievements.find(({ key }) => key === 'kind-word');
  const hidden = { ...visible, ...HIDDEN, id: Math.max(...achievements.map(({ id }) => id)) + 1, isHidden: true };
  writeFileSync(file, JSON.stringify({ ...rest, achievements: [...achievements, hidden] }));
  return file;
}

/** Values of the parameters of all public reads, which exist in the system. */
export async function sampleValues({ request }: AbusedSystem, username: string): Promise<SampleValues> {
  const { games } = (await request(operations.listGames.path)).body as OperationResponse<typeof operations.listGames>;
  const [event] = (await request(operations.listEvents.path)).body as OperationResponse<typeof operations.listEvents>;
  for (const { titleId } of games) {
    const path = operations.listLeaderboards.path.replace(':titleId', titleId);
    const [board] = (await request(path)).body as OperationResponse<typeof operations.listLeaderboards>;
    if (board === undefined) continue;
    const boardPath = operations.getLeaderboard.path.replace(':titleId', titleId);
    const { entries } = (await request(boardPath.replace(':leaderboardId', String(board.id)))).body as {
      entries: { name: string }[];
    };
    const [player = '', otherPlayer = player] = entries.map(({ name }) => name);
    const ids = {
      titleId,
      game: titleId,
      otherTitleId: titleId,
      leaderboardId: String(board.id),
      eventId: String(event?.id),
    };
    return { ...ids, player, otherPlayer, username, time: '0:49.3', prefix: 'e' };
  }
  throw new Error('no game has a leaderboard');
}

/** Listens on loopback and counts connections. */
export async function openTrap(): Promise<{ port: number; connections: () => number }> {
  let connections = 0;
  const trap = createServer((socket) => {
    connections += 1;
    socket.destroy();
  }).listen(0, '127.0.0.1');
  await once(trap, 'listening');
  cleanUp(() => void trap.close());
  return { port: (trap.address() as AddressInfo).port, connections: () => connections };
}

/** The bytes of every file, by name. */
export function filesIn(directory: string): [name: string, bytes: Buffer][] {
  return readdirSync(directory, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => [entry.name, readFileSync(join(entry.parentPath, entry.name))]);
}
