import { formatInstant, SLOT_SECONDS, sourcesChecked } from '@lobbystats/contracts';
import { nock, requestsTo, type MockedRequest } from '@lobbystats/test-kit/nock';
import { groupDueIn } from '../src/boards/board-schedule.ts';
import { NETWORK } from './mock-network.ts';
import { setStage, SLOT, type Stage } from './running-collector.ts';
import { runSlots } from './run-slots.ts';

let stage: Stage;
let requests: MockedRequest[];
let isDown = false;
beforeEach(async () => {
  isDown = false;
  stage = await setStage({ titles: 4, openMatches: 2, boards: 60 });
  const host = nock(NETWORK).persist();
  host.get(/^/).reply(async ({ url }: Request) => {
    if (isDown) return [503, 'Down'];
    const response = await fetch(url.replace(NETWORK, stage.url));
    return [response.status, await response.text(), { 'Content-Type': response.headers.get('content-type') ?? '' }];
  });
  requests = requestsTo(host);
});
afterEach(() => stage.close());

describe('a network that does not answer', () => {
  it('is asked for its homepage alone, which is published, and its leaderboards are read afterwards', async () => {
    const published = jest.spyOn(stage.bus, 'publish');
    const collector = await stage.collector({ env: { NETWORK_URL: NETWORK } });
    const slotAt = (index: number) => SLOT + index * SLOT_SECONDS;
    await runSlots(stage, { from: slotAt(0), to: slotAt(2) }, collector);

    isDown = true;
    const before = requests.length;
    const failed = collector.status.pagesFailed;
    stage.clock.nowMs = (slotAt(2) + 1) * 1000;
    const opened = collector.tick();
    await stage.poll(() => Promise.resolve(collector.status.pagesFailed > failed));
    stage.clock.nowMs += 120_000;
    await opened;
    const pathOf = ({ url }: MockedRequest) => new URL(url, NETWORK).pathname;
    expect(new Set(requests.slice(before).map(pathOf))).toEqual(new Set(['/']));

    isDown = false;
    const after = requests.length;
    await runSlots(stage, { from: slotAt(3), to: slotAt(4) }, collector);
    const states = published.mock.calls.flatMap(([type, data]) =>
      type.key === sourcesChecked.key ? (data as { failingSince: string | null }).failingSince : [],
    );
    expect(states.slice(-2)).toEqual([formatInstant(slotAt(2)), null]);
    const due = (await stage.store.boards.due(groupDueIn(slotAt(2)))).map(
      ({ titleId, leaderboardId }) => `/games/${titleId}/leaderboards/${leaderboardId}`,
    );
    expect(due.length).toBeGreaterThan(0);
    expect(requests.slice(after).map(pathOf)).toEqual(expect.arrayContaining(due));
  });
});
