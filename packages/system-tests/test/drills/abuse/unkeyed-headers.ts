import { allOperations, operations } from '@lobbystats/contracts';
import { unkeyedHeaders as oddHeaders } from '@lobbystats/test-kit';
import { expect } from 'expect';
import type { SharedDrill } from '../drill.ts';
import { samplePaths } from './sample-paths.ts';

const UNKEYED_HEADERS = oddHeaders(6000);
const TRIES = 3;

export const unkeyedHeaders: SharedDrill = {
  number: 26,
  name: 'request headers outside the cache key',
  on: 'either',
  isShort: true,
  run: async (stage) => {
    const paths = await samplePaths(stage);
    const differing: string[] = [];
    for (const path of paths) {
      let isSame = false;
      // Data may change between two reads.
      for (let attempt = 0; attempt < TRIES && !isSame; attempt += 1) {
        const before = await stage.request(path);
        const dressed = await stage.request(path, { headers: UNKEYED_HEADERS });
        const after = await stage.request(path);
        isSame = before.text === after.text && dressed.text === before.text && dressed.status === before.status;
        if ((JSON.stringify(after.headers) + after.text).includes('evil.example'))
          throw new Error(`${path} was poisoned`);
      }
      if (!isSame) differing.push(path);
    }
    expect(differing).toEqual([]);
    const game = paths.find((path) => path.startsWith(operations.getGame.path.replace(':titleId', ''))) ?? '/';
    const oversized = await stage.request(game, { headers: { 'X-Padding': 'x'.repeat(40_000) } });
    expect([400, 431]).toContain(oversized.status);
    expect(oversized.headers['cache-control']).toBe('no-store');
    expect((await stage.request(game)).status).toBe(200);
    const wrong = await stage.request(`${operations.getOnlineSeries.path}?days=0`);
    expect([wrong.status, wrong.headers['cache-control']]).toEqual([400, 'no-store']);
    return [
      `${paths.length} of ${allOperations.filter(({ audience }) => audience === 'public').length} routes read with ${Object.keys(UNKEYED_HEADERS).length} odd headers between two plain reads: the same bytes; ${oversized.status} for a header of 40 KB, not kept`,
    ];
  },
};
