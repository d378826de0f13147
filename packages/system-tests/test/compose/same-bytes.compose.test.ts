import { BOARD_PASS_SECONDS, parseInstant, SLOT_SECONDS } from '@lobbystats/contracts';
import { createSimulator, type SimulatorOptions } from '@lobbystats/simulator';
import { eventually, temporaryDirectory } from '@lobbystats/test-kit';
import { waitUntil } from '../faults/wait.ts';
import { startProcess, type ServiceProcess } from '../standalone/service-process.ts';
import { fetchUserResponses, userPaths } from './user-paths.ts';
import { requestsExceptBoards, boardRequests, uncomparedOperations, type PublicRequest } from './public-paths.ts';
import { expectBackfilled, expectNoMessages, gatewayUrl, recreateStack } from './stack.ts';

const { world } = createSimulator(JSON.parse(process.env['TEST_NETWORK'] ?? '{}') as SimulatorOptions);
const NETWORK_URL = String(process.env['TEST_SIMULATOR_URL']);
/** Backfill settings of both systems. */
const PAST = JSON.parse(process.env['TEST_PAST'] ?? '{}') as Record<string, string>;
const hourOf = (epochMs: number) => Math.floor(epochMs / 1000 / BOARD_PASS_SECONDS);

let startHour: number;
/** Epoch seconds. */
let startSeconds: number;
let boardRequestList: PublicRequest[];
let standalone: ServiceProcess;
let standaloneUrl: string;
beforeAll(async () => {
  await waitUntil(timeOfStart(Date.now()));
  startHour = hourOf(Date.now());
  startSeconds = Math.floor(Date.now() / 1000);
  boardRequestList = boardRequests(world, startHour * BOARD_PASS_SECONDS, Number(PAST['BACKFILL_DAYS']));
  await recreateStack();
  standalone = startProcess('services/standalone/src/main.ts', {
    env: {
      DATA_DIR: temporaryDirectory('file'),
      PORT: '0',
      METRICS_PORT: '0',
      LOG_LEVEL: 'error',
      CACHE_BYTES: '0',
      ...PAST,
      NETWORK_URL,
      NETWORK_ORIGIN: 'simulated',
      AUTH_URL: NETWORK_URL,
      DISCORD_API_URL: `${NETWORK_URL}/discord`,
      PUBLIC_URL: gatewayUrl,
    },
  });
  standaloneUrl = await standalone.waitForOutput(/is ready: (\S+)\s/);
  // The stack's gateway keeps what it responds meanwhile until the next slot: a repeated reading of a leaderboard is no fact.
  const processed = () => expectBackfilled().then(expectNoMessages);
  await eventually(processed, { timeoutMs: 600_000, everyMs: 1000 });
}, 900_000);
afterAll(() => standalone.kill());

/**
 * When to start a stack, whose collector runs up to two minutes later: after the deadline of a slot, or early in the next one. In between
 * a collector begins a slot without the time for all its pages, and the other system has that slot whole, from the past.
 *
 * @returns epoch milliseconds, now or within a slot
 */
function timeOfStart(nowMs: number): number {
  const slotMs = SLOT_SECONDS * 1000;
  const [first, last] = [125_000, 220_000];
  const inSlot = nowMs % slotMs;
  if (inSlot >= first && inSlot < last) return nowMs;
  return nowMs - inSlot + first + (inSlot < first ? 0 : slotMs);
}

/**
 * Requests to every public route. Boards and changes are compared only in the first hour:
 * live changes have the time of their reading, which differs between the two systems.
 */
async function requestsToCompare(): Promise<PublicRequest[]> {
  const requests = await requestsExceptBoards(gatewayUrl);
  return hourOf(Date.now()) === startHour ? [...requests, ...boardRequestList] : requests;
}

async function fetchResponses(url: string, requests: readonly PublicRequest[]): Promise<string[]> {
  return Promise.all(
    requests.map(async ({ path, body }) => {
      const posted = { method: 'POST', headers: { 'content-type': 'application/json' } };
      const answer = await fetch(url + path, body === undefined ? {} : { ...posted, body });
      const text = await answer.text();
      return `${path} ${answer.status} ${withoutEventReadings(text)}`;
    }),
  );
}

/** Removes what only one of two systems has read yet, so that the rest can be compared. */
function withCommonReadings(answers: readonly string[], others: readonly string[]): string[] {
  return answers.map((answer, index) => {
    const other = others[index] ?? '';
    return withoutLiveReadings(withCommonLobbyPoints(answer, other), other);
  });
}

/** Removes recent lobby counts that only one system has: a system without all pages of a slot stores no count. */
function withCommonLobbyPoints(answer: string, other: string): string {
  const pointOf = /\{"recorded_at":"([^"]+)","lobby_count":\d+\},?/g;
  const common = answer.replaceAll(pointOf, (point, time: string) => {
    const isOld = parseInstant(time) < startSeconds - SLOT_SECONDS;
    return isOld || other.includes(`{"recorded_at":"${time}","lobby_count":`) ? point : '';
  });
  return common.replaceAll(',]', ']');
}

const OBSERVED_AT = /"observed_at":"([^"]+)"/g;

/** Removes the time of a reading that at least one system has taken since the start: each reads a leaderboard when its turn comes. */
function withoutLiveReadings(answer: string, other: string): string {
  const times = Array.from(other.matchAll(OBSERVED_AT), ([, time = '']) => time);
  let index = 0;
  return answer.replaceAll(OBSERVED_AT, (member, time: string) => {
    const isLive = [time, times[index] ?? time].some((one) => parseInstant(one) >= startSeconds);
    index += 1;
    return isLive ? '"observed_at":"read live"' : member;
  });
}

/** The responses that differ, each from a little before the first difference on. */
function differences(composed: readonly string[], alone: readonly string[]) {
  return composed.flatMap((answer, index) => {
    const other = alone[index] ?? '';
    if (answer === other) return [];
    let start = 0;
    while (answer[start] === other[start]) start += 1;
    const excerpt = (text: string) => text.slice(Math.max(0, start - 200), start + 400);
    return [{ path: answer.split(' ', 1)[0], composed: excerpt(answer), standalone: excerpt(other) }];
  });
}

/** Removes the times at which a system has read an event. */
function withoutEventReadings(text: string): string {
  return text.replaceAll(/^(DTSTAMP|LAST-MODIFIED|SEQUENCE):.*$/gm, '$1');
}

describe('stack of docker-compose.yml', () => {
  it('is asked for every public operation', async () => {
    const requests = [...(await requestsExceptBoards(gatewayUrl)), ...boardRequestList].map(({ path }) => path);
    expect(uncomparedOperations([...requests, ...(await userPaths(gatewayUrl))])).toEqual([]);
  });

  it('returns the same bytes as the standalone system on every route', async () => {
    const compared = await eventually(
      async () => {
        const requests = await requestsToCompare();
        const [composed, alone] = await Promise.all([
          fetchResponses(gatewayUrl, requests),
          fetchResponses(standaloneUrl, requests),
        ]);
        expect(differences(withCommonReadings(composed, alone), withCommonReadings(alone, composed))).toEqual([]);
        expect(composed.filter((answer) => !/^\S+ 200 /.test(answer))).toEqual([]);
        return composed;
      },
      // A slot reaches the two systems at different times.
      { timeoutMs: 800_000, everyMs: 1000 },
    );
    expect(compared.length).toBeGreaterThan(15);
  }, 900_000);

  it('returns the same user data as the standalone system', async () => {
    await eventually(
      async () => {
        const requests = await userPaths(gatewayUrl);
        const [composed, alone] = await Promise.all([
          fetchUserResponses(gatewayUrl, requests),
          fetchUserResponses(standaloneUrl, requests),
        ]);
        expect(composed).toEqual(alone);
        expect(composed.filter(({ status }) => status !== 200)).toEqual([]);
        expect(JSON.stringify(composed)).toContain('"earned":true');
      },
      { timeoutMs: 300_000, everyMs: 1000 },
    );
  });
});
