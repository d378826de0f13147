import { allOperations, operations } from '@lobbystats/contracts';
import { expect } from 'expect';
import type { SharedDrill } from '../drill.ts';

const NAMES = [
  '..%2f',
  '..%2f..%2finternal%2ftitles',
  '%2e%2e%2f%2e%2e',
  '%5c..%5c..',
  '%00',
  'a%00b',
  '%',
  '%f',
  '%zz',
  '%c0%ae%c0%ae%c0%af',
  '%e0%80%af',
  '%ed%a0%80',
  '%f8%88%80%80%80',
  '%25%32%65%25%32%65%2f',
  '%0d%0aSet-Cookie:%20a=b',
  '%EF%BC%8F..%EF%BC%8F',
  '%E2%80%AE',
  '..;%2finternal',
];

export const gameNames: SharedDrill = {
  number: 19,
  name: 'game names that contain paths',
  on: 'either',
  isShort: true,
  run: async (stage) => {
    const gameRoute = String(operations.getGame.gamePath);
    const paths = [...new Set(allOperations.flatMap(({ gamePath = [] }) => gamePath))];
    const unknown = await stage.request(gameRoute.replace(':game', 'nothing-of-this-name'));
    const seen: Record<number, number> = {};
    for (const path of paths) {
      for (const name of NAMES) {
        const answer = await stage.request(path.replace(':game', name).replace(/:\w+/g, '1'));
        expect([path, name, [400, 404].includes(answer.status)]).toEqual([path, name, true]);
        expect(Object.keys(answer.body as object)).toEqual(['error']);
        expect(answer.headers['set-cookie']).toBeUndefined();
        // A request that reached another upstream route would have another error.
        if (answer.status === 404) expect([name, answer.text]).toEqual([name, unknown.text]);
        seen[answer.status] = (seen[answer.status] ?? 0) + 1;
      }
    }
    const counts = Object.entries(seen).map(([status, count]) => `${count} times ${status}`);
    return [
      `${NAMES.length} names at ${paths.length} routes: ${counts.join(', ')}; no 404 says anything else than of an unknown name`,
    ];
  },
};
