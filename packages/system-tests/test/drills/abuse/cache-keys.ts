import { randomBytes } from 'node:crypto';
import { operations } from '@lobbystats/contracts';
import { expect } from 'expect';
import type { SharedDrill } from '../drill.ts';
import { readMetric } from '../stages/read-metric.ts';

const REQUESTS = 500;

export const cacheKeys: SharedDrill = {
  number: 27,
  name: 'random queries and session keys on public routes',
  on: 'either',
  isShort: true,
  run: async (stage) => {
    const paths = [operations.getOnlineUsers.path, operations.listGames.path, operations.listAchievements.path];
    for (const path of paths) await stage.request(path);
    const readCacheSize = async () => {
      const metrics = await stage.metrics('gateway');
      return [readMetric(metrics, 'lobbystats_cache_entries'), readMetric(metrics, 'lobbystats_cache_bytes')] as const;
    };
    const [before, bytesBefore] = await readCacheSize();
    for (let index = 0; index < REQUESTS; index += 1) {
      const random = randomBytes(8).toString('hex');
      const path = paths[index % paths.length] ?? '';
      const { status } = await stage.request(`${path}?x=${random}&${random}=1`, {
        headers: { 'X-Session-Key': random },
      });
      expect(status).toBe(200);
    }
    const [after, bytesAfter] = await readCacheSize();
    const measured = `${before} answers kept before (${bytesBefore} bytes), ${after} after ${REQUESTS} requests, each with another query and key (${bytesAfter} bytes)`;
    // A slot may come in meanwhile.
    if (after > before + paths.length) throw new Error(measured);
    return [measured];
  },
};
