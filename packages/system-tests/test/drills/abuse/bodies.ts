import { gzipSync } from 'node:zlib';
import { operations } from '@lobbystats/contracts';
import { expect } from 'expect';
import type { SharedDrill } from '../drill.ts';
import { postOptions } from './post-options.ts';
import { fastestOf } from './timing.ts';

const MAX_MS = 50;
const TRIES = 5;
const DEEP = `{"players":${'['.repeat(10_000)}${']'.repeat(10_000)}}`;

export const bodies: SharedDrill = {
  number: 16,
  name: 'bodies of 1 MB, a gzip bomb, depth 10,000',
  on: 'either',
  isShort: true,
  run: async (stage) => {
    const json = postOptions({}).headers;
    const { path } = operations.searchByRanks;
    const cases = [
      ['1 MB', [413], { method: 'POST', headers: json, body: Buffer.alloc(1_000_000, ' ') }],
      [
        'a gzip bomb of 60 MB',
        [400, 413, 415],
        { method: 'POST', headers: { ...json, 'Content-Encoding': 'gzip' }, body: gzipSync(Buffer.alloc(60_000_000)) },
      ],
      ['depth 10,000', [400], postOptions(DEEP)],
      ['depth 10,000, broken off', [400], postOptions(DEEP.slice(0, 15_000))],
    ] as const;
    const measured: string[] = [];
    for (const [what, statuses, options] of cases) {
      let status = 0;
      const best = await fastestOf(TRIES, async () => {
        ({ status } = await stage.request(path, { ...options, headers: { ...options.headers } }));
      });
      expect(statuses).toContain(status);
      measured.push(`${what}: ${status} after ${best.toFixed(0)} ms`);
      if (best > MAX_MS) throw new Error(`${measured.join('; ')}: more than ${MAX_MS} ms`);
    }
    return [measured.join('; ')];
  },
};
