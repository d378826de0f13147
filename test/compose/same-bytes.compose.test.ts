import { BOARD_PASS_SECONDS, operations, parseInstant, SLOT_SECONDS } from '@lobbystats/contracts';
import { createSimulator } from '@lobbystats/simulator';
import { eventually, temporaryDirectory } from '@lobbystats/test-kit';
import { peopleTold, requestsOfPeople } from './people-paths.ts';
import { requestsBesideBoards, requestsOfBoards, type PublicRequest } from './public-paths.ts';
import { gateway, startFresh } from './stack.ts';
import { startStandalone } from './standalone-process.ts';

const { world } = createSimulator();
/** As much of the past as shows what there is to compare. */
const PAST = JSON.parse(process.env['TEST_PAST'] ?? '{}') as Record<string, string>;
const hourOf = (epochMs: number) => Math.floor(epochMs / 1000 / BOARD_PASS_SECONDS);

let beganIn: number;
/** Epoch seconds. */
let beganAt: number;
let ofBoards: PublicRequest[];
let standalone: Awaited<ReturnType<typeof startStandalone>>;
beforeAll(async () => {
  beganIn = hourOf(Date.now());
  beganAt = Math.floor(Date.now() / 1000);
  ofBoards = requestsOfBoards(world, beganIn * BOARD_PASS_SECONDS);
  await startFresh();
  standalone = await startStandalone({
    DATA_DIR: temporaryDirectory('file'),
    PORT: '0',
    SIMULATOR_PORT: '0',
    METRICS_PORT: '0',
    LOG_LEVEL: 'error',
    ...PAST,
    NETWORK_PUBLIC_URL: String(process.env['TEST_SIMULATOR_URL']),
    PUBLIC_URL: gateway,
  });
}, 300_000);
afterAll(() => standalone.stop());

/**
 * Every public answer. A change of a board that was read live has the time of its reading, so that two systems differ once an
 * hour has passed that they began in: boards and changes are compared only while it still is that hour.
 */
async function requestsToCompare(): Promise<PublicRequest[]> {
  const requests = await requestsBesideBoards(gateway);
  return hourOf(Date.now()) === beganIn ? [...requests, ...ofBoards] : requests;
}

async function answersOf(url: string, requests: readonly PublicRequest[]): Promise<string[]> {
  return Promise.all(
    requests.map(async ({ path, body }) => {
      const posted = { method: 'POST', headers: { 'content-type': 'application/json' } };
      const answer = await fetch(url + path, body === undefined ? {} : { ...posted, body });
      const text = await answer.text();
      return `${path} ${answer.status} ${path === operations.getEventsCalendar.path ? unstamped(text) : text}`;
    }),
  );
}

/** Sums of slots that both have: where one of them couldn't read a page in time, as while it begins, it honestly has none. */
function lobbiesOfBoth(answers: readonly string[], others: readonly string[]): string[] {
  const pointOf = /\{"recorded_at":"([^"]+)","lobby_count":\d+\},?/g;
  return answers.map((answer, index) => {
    const other = others[index] ?? '';
    const common = answer.replaceAll(pointOf, (point, time: string) => {
      const isOld = parseInstant(time) < beganAt - SLOT_SECONDS;
      return isOld || other.includes(`{"recorded_at":"${time}","lobby_count":`) ? point : '';
    });
    return common.replaceAll(',]', ']');
  });
}

/** A calendar's stamps tell when its events were read, to the second. */
function unstamped(calendar: string): string {
  return calendar.replaceAll(/^DTSTAMP:.*$/gm, 'DTSTAMP');
}

describe('the stack of docker-compose.yml', () => {
  it('answers the same bytes as npm start, route by route', async () => {
    const compared = await eventually(
      async () => {
        const requests = await requestsToCompare();
        const [composed, alone] = await Promise.all([
          answersOf(gateway, requests),
          answersOf(standalone.url, requests),
        ]);
        expect(lobbiesOfBoth(composed, alone)).toEqual(lobbiesOfBoth(alone, composed));
        expect(composed.filter((answer) => !/^\S+ 200 /.test(answer))).toEqual([]);
        return composed;
      },
      // The stack's past has to come in first; and a slot reaches the two at different moments.
      { timeoutMs: 400_000, everyMs: 1000 },
    );
    expect(compared.length).toBeGreaterThan(15);
  }, 500_000);

  it('tells the same of people as npm start', async () => {
    await eventually(
      async () => {
        const requests = await requestsOfPeople(gateway);
        const [composed, alone] = await Promise.all([
          peopleTold(gateway, requests),
          peopleTold(standalone.url, requests),
        ]);
        expect(composed).toEqual(alone);
        expect(composed.filter(({ status }) => status !== 200)).toEqual([]);
        expect(JSON.stringify(composed)).toContain('"earned":true');
      },
      { timeoutMs: 300_000, everyMs: 1000 },
    );
  }, 400_000);
});
