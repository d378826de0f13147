import { eventually } from '@lobbystats/test-kit';
import type { OwnMongod } from './own-mongod.ts';

export interface AmidWrites {
  /** Each makes one write; they write at the same time, one after the other each. */
  writers: readonly (() => Promise<void>)[];
  /** How many writes have been acknowledged so far. */
  acknowledged: () => number;
  /** More than so many are acknowledged between two kills. */
  between: number;
}

/** Kills the server twice while it is written to. */
export async function killAmidWrites(server: OwnMongod, { writers, acknowledged, between }: AmidWrites): Promise<void> {
  const over = new AbortController();
  const writing = writers.map(async (write) => {
    while (!over.signal.aborted) await write();
  });
  for (let kill = 0; kill < 2; kill += 1) {
    const before = acknowledged();
    await eventually(() => expect(acknowledged()).toBeGreaterThan(before + between), { timeoutMs: 30_000 });
    await server.killAndStart();
  }
  over.abort();
  await Promise.all(writing);
}
