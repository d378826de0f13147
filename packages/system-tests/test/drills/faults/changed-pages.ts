import { formatTimestamp, operations } from '@lobbystats/contracts';
import { eventually } from '@lobbystats/test-kit';
import { expect } from 'expect';
import type { SharedDrill } from '../drill.ts';
import { networkFaults, whileFaulty } from '../inject.ts';
import { readMetric } from '../stages/read-metric.ts';
import type { Stage } from '../stages/stage.ts';
import { waitForNextSlot, waitUntil } from '../wait.ts';

/** A slot is closed after two minutes and stored soon after. */
const SETTLED_SECONDS = 150;

export const changedPages: SharedDrill = {
  number: 10,
  name: 'pages of the network are changed, or truncated',
  on: 'either',
  isFault: true,
  run: async (stage) => {
    const mark = stage.markLog();
    const failedBefore = await countUnparsedPages(stage);
    const slot = await waitForNextSlot();
    const brokenPages = networkFaults(
      { path: '/games', kind: 'markup', severity: 'breaking' },
      { path: '/', kind: 'truncate', ends: 'cleanly', times: 2 },
    );
    await whileFaulty(stage, brokenPages, () => waitUntil((slot + SETTLED_SECONDS) * 1000));
    const time = formatTimestamp(slot);
    const lobbies = (await stage.request(`${operations.getLobbySeries.path}?days=1`)).body as {
      recorded_at: string;
      lobby_count: number;
    }[];
    const online = (await stage.request(`${operations.getOnlineSeries.path}?days=1`)).body as {
      recorded_at: string;
      online_count: number;
    }[];
    expect(lobbies.filter(({ recorded_at }) => recorded_at === time)).toEqual([]);
    const seen = online.find(({ recorded_at }) => recorded_at === time)?.online_count;
    expect(seen).not.toBe(0);
    const failed = await eventually(
      async () => {
        const count = (await countUnparsedPages(stage)) - failedBefore;
        expect(count).toBeGreaterThan(0);
        return count;
      },
      { timeoutMs: 10_000 },
    );
    const samples = (await stage.logs(mark))
      .split('\n')
      .filter((line) => line.includes('"page read failed"') && line.includes('"sample"'));
    expect(samples.length).toBeGreaterThan(0);
    return [
      `slot ${time}: ${seen ?? 'no'} online, no lobby count, no zero; ${failed} pages counted as not understood, ${samples.length} logged with a sample`,
    ];
  },
};

async function countUnparsedPages(stage: Stage): Promise<number> {
  return readMetric(await stage.metrics('collector'), 'lobbystats_pages_total', { outcome: 'unparseable' });
}
