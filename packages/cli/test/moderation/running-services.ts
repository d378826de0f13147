import { operations, playersObserved } from '@lobbystats/contracts';
import { reputationApi } from '@lobbystats/reputation-api';
import { silentLogger, type Env, type Sessions } from '@lobbystats/service-kit';
import { eventually, getJson, memoryBus, startService, temporaryDirectory } from '@lobbystats/test-kit';
import { userApi } from '@lobbystats/user-api';
import { run } from '../../testing/run-captured.ts';

/** The erasure key of the services. */
export const ERASURE_KEY = 'a-key-of-tests-alone';
const NOW = 1_800_000_000;
const clock = () => NOW * 1000;

const sessions: Sessions = { verify: async (key) => ({ username: key }) };

/** Starts both services on stores in a directory, with EmberFox and Marlow, who have rated each other. */
export const startServices = async () => {
  const directory = temporaryDirectory();
  const bus = await memoryBus();
  const env = { PORT: '0', METRICS_PORT: '0', ERASURE_KEY };
  const parts = { bus, clock, sessions, logger: silentLogger() };
  const definitions = { digest: 'none', all: [], groups: [] };
  const users = await startService(
    await userApi.create(userApi.readConfig({ ...env, DATABASE_URL: `sqlite:${directory}/users.sqlite` }), {
      ...parts,
      definitions,
    }),
  );
  const reputation = await startService(
    await reputationApi.create(
      reputationApi.readConfig({ ...env, DATABASE_URL: `sqlite:${directory}/reputation.sqlite` }),
      parts,
    ),
  );
  const seen = { verified: true, isOnline: true, titleId: null, game: null, lastSeenAt: '2027-01-15T08:00:00Z' };
  const observe = () =>
    bus.publish(playersObserved, {
      seenAt: '2027-01-15T08:00:00Z',
      players: ['EmberFox', 'Marlow'].map((username) => ({ username, gamertag: username, ...seen })),
    });
  await observe();
  const reputationOf = (username: string) => getJson(reputation + pathOf(operations.getReputation, username));
  const rate = (rater: string, profile: string) =>
    getJson(reputation + pathOf(operations.rateProfile, profile), {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'X-Session-Key': rater },
      body: JSON.stringify({ stars: 1, comment: `of ${rater}` }),
    });
  await eventually(async () => {
    expect(await rate('EmberFox', 'Marlow')).toMatchObject({ status: 200 });
    expect(await rate('Marlow', 'EmberFox')).toMatchObject({ status: 200 });
  });
  const report = (owner: string, raterUsername: string, reason: string) =>
    getJson(reputation + operations.reportComment.path, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'X-Session-Key': owner },
      body: JSON.stringify({ raterUsername, reason }),
    });
  const profileOf = (username: string) => getJson(users + pathOf(operations.getUserProfile, username));
  const asUser = (username: string, path: string, method = 'GET', body?: object) =>
    getJson(users + path, {
      method,
      headers: { 'Content-Type': 'application/json', 'X-Session-Key': username },
      ...(body && { body: JSON.stringify(body) }),
    });
  return { directory, bus, asUser, profileOf, reputationOf, rate, report, observe };
};

/** Runs `moderate` with the given settings. */
export const runModerationCommand = (env: Env, ...args: string[]) => run(['moderate', ...args], env);

function pathOf({ path }: { path: string }, username: string): string {
  return path.replace(':username', encodeURIComponent(username));
}
