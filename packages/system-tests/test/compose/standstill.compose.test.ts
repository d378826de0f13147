import { formatTimestamp, operations } from '@lobbystats/contracts';
import { eventually } from '@lobbystats/test-kit';
import { deadLetters } from '../drills/dead-letters.ts';
import { pauseFor } from '../drills/inject.ts';
import { waitForNextSlot } from '../drills/wait.ts';
import { expectHealthy, simulatedLobbyCount, newestPoint, type LobbyPoint } from './newest-slot.ts';
import { compose, stack } from './stack.ts';

const PAUSE_SECONDS = 30;

beforeAll(() => compose('up', '-d', '--wait', '--no-recreate'), 300_000);

describe('stack with all servers paused during a slot', () => {
  it('stores the slot without a wrong lobby count', async () => {
    const slot = await waitForNextSlot();
    await Promise.all(['rabbitmq', 'mongodb', 'influxdb'].map((server) => pauseFor(stack, server, PAUSE_SECONDS)));
    await eventually(
      async () => {
        const point = await newestPoint<{ recorded_at: string }>(operations.getOnlineSeries.path);
        expect(point?.recorded_at).toBe(formatTimestamp(slot));
      },
      { timeoutMs: 150_000, everyMs: 500 },
    );
    const { recorded_at, lobby_count } = { ...(await newestPoint<LobbyPoint>(operations.getLobbySeries.path)) };
    // There is no count when a page was not read before the deadline.
    const sum = recorded_at === formatTimestamp(slot) ? lobby_count : 'none';
    expect(['none', simulatedLobbyCount(slot)]).toContain(sum);
    await eventually(expectHealthy, { everyMs: 1000 });
    expect(await deadLetters(stack)).toEqual([]);
  }, 600_000);
});
