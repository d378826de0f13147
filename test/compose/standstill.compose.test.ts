import { formatTimestamp, operations } from '@lobbystats/contracts';
import { eventually } from '@lobbystats/test-kit';
import { nextSlot } from '../drills/faults/slots.ts';
import { allHealthy, lobbiesIn, newest, type LobbyPoint } from './newest-slot.ts';
import { compose, deadLetters, pauseFor } from './stack.ts';

const PAUSE_SECONDS = 30;

beforeAll(() => compose('up', '-d', '--wait', '--no-recreate'), 300_000);

describe('the stack whose servers all stand still in the middle of a slot', () => {
  it('has the slot, and no wrong sum in it', async () => {
    const slot = await nextSlot();
    await Promise.all(['rabbitmq', 'mongodb', 'influxdb'].map((server) => pauseFor(server, PAUSE_SECONDS)));
    await eventually(
      async () => {
        const point = await newest<{ recorded_at: string }>(operations.getOnlineSeries.path);
        expect(point?.recorded_at).toBe(formatTimestamp(slot));
      },
      { timeoutMs: 150_000, everyMs: 500 },
    );
    const { recorded_at, lobby_count } = { ...(await newest<LobbyPoint>(operations.getLobbySeries.path)) };
    // Where a page could not be had by the deadline there is no sum.
    const sum = recorded_at === formatTimestamp(slot) ? lobby_count : 'none';
    expect(['none', lobbiesIn(slot)]).toContain(sum);
    await eventually(allHealthy, { timeoutMs: 60_000, everyMs: 1000 });
    expect(await deadLetters()).toEqual([]);
  }, 600_000);
});
