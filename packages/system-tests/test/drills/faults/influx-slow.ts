import { operations } from '@lobbystats/contracts';
import { expect } from 'expect';
import { millisecondsOf, quantile } from '../abuse/timing.ts';
import type { StackDrill } from '../drill.ts';
import { paused, whileFaulty } from '../inject.ts';
import type { StackStage } from '../stages/stack-stage.ts';
import { waitUntil } from '../wait.ts';

const SLOW_MS = 5000;
const ROUNDS = 4;
const MAX_MS = 2000;
const SAMPLES = 150;
const MAX_P99_RATIO = 1.1;
/** Noise between two runs on an idle machine. */
const FLOOR_MS = 15;

export const influxSlow: StackDrill = {
  number: 6,
  name: 'InfluxDB is 5 s slower',
  on: 'stack',
  isFault: true,
  run: async (stage) => {
    const { getOnlineSeries, getTitleOnlineHistory, listGames } = operations;
    const { games } = (await stage.request(listGames.path)).body as { games: { titleId: string }[] };
    const before: number[] = [];
    const counts: Record<string, number> = {};
    const others: number[] = [];
    let longestMs = 0;
    let question = 0;
    const nextPaths = (): string[] => {
      question += 1;
      const { titleId = '' } = games[question % games.length] ?? {};
      return [
        `${getTitleOnlineHistory.path.replace(':titleId', titleId)}?hours=${1 + (question % 700)}`,
        `${getOnlineSeries.path}?days=1`,
      ];
    };
    const history = async (): Promise<void> => {
      for (const path of nextPaths()) {
        let what = '';
        const took = await millisecondsOf(async () => {
          const { status, headers } = await stage.request(path);
          expect([200, 503]).toContain(status);
          what = `${status}${String(headers['cache-status']).includes('stale') ? ' stale' : ''}`;
        });
        counts[what] = (counts[what] ?? 0) + 1;
        longestMs = Math.max(longestMs, took);
      }
    };
    // InfluxDB runs only briefly every 5 s, so that each query takes about 5 s.
    for (let round = 0; round < ROUNDS; round += 1) {
      // Alternates with the same background queries, so that machine load affects both measurements.
      await Promise.all([
        ...[...nextPaths(), ...nextPaths()].map((path) => stage.request(path)),
        sampleLatencies(stage, Math.ceil(SAMPLES / ROUNDS)).then((times) => before.push(...times)),
      ]);
      await whileFaulty(stage, paused('influxdb'), async () => {
        const end = Date.now() + SLOW_MS;
        await Promise.all([
          history(),
          history(),
          sampleLatencies(stage, Math.ceil(SAMPLES / ROUNDS)).then((times) => others.push(...times)),
        ]);
        await waitUntil(end);
      });
    }
    const [without, during] = [quantile(before, 0.99), quantile(others, 0.99)];
    const measured = `history: ${Object.entries(counts)
      .map(([what, count]) => `${count} times ${what}`)
      .join(
        ', ',
      )}, after ${longestMs.toFixed(0)} ms at most; other routes' p99 ${without.toFixed(1)} ms in between, ${during.toFixed(1)} ms meanwhile`;
    if (longestMs > MAX_MS || during > MAX_P99_RATIO * without + FLOOR_MS) throw new Error(measured);
    return [measured];
  },
};

/** Latencies of other, uncached routes. */
async function sampleLatencies(stage: StackStage, count: number): Promise<number[]> {
  const times: number[] = [];
  for (let index = 0; index < count; index += 1) {
    const path = `${operations.searchByTime.path}?time=1:${String(index % 60).padStart(2, '0')}.${String((index * 7) % 1000).padStart(3, '0')}`;
    times.push(await millisecondsOf(async () => expect((await stage.request(path)).status).toBe(200)));
  }
  return times;
}
