import { eventually } from '../eventually.ts';
import type { TestMongod } from './test-mongod.ts';

export interface WriteLoad {
  /** Functions that make one write; run concurrently, each in a loop. */
  writers: readonly (() => Promise<void>)[];
  /** Number of acknowledged writes. */
  acknowledged: () => number;
  /** Minimum number of acknowledged writes between two kills. */
  minBetweenKills: number;
}

/** Kills the server twice during writes. */
export async function killDuringWrites(
  server: TestMongod,
  { writers, acknowledged, minBetweenKills }: WriteLoad,
): Promise<void> {
  const over = new AbortController();
  const writing = writers.map(async (write) => {
    while (!over.signal.aborted) await write();
  });
  for (let kill = 0; kill < 2; kill += 1) {
    const before = acknowledged();
    await eventually(() => expect(acknowledged()).toBeGreaterThan(before + minBetweenKills));
    await server.killAndStart();
  }
  over.abort();
  await Promise.all(writing);
}
