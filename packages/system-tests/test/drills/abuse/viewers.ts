import { operations } from '@lobbystats/contracts';
import { expect } from 'expect';
import { pathTo, type Reputation } from '../../standalone/sign-in.ts';
import type { SharedDrill } from '../drill.ts';

const ROUNDS = 100;

export const viewers: SharedDrill = {
  number: 25,
  name: 'reputation with a session and without',
  on: 'either',
  isShort: true,
  run: async (stage) => {
    const [one, two] = stage.users;
    expect(await one.rate(two.username, { stars: 2, comment: 'mine alone' })).toMatchObject({ status: 200 });
    const path = pathTo(operations.getReputation.path, two.username);
    let anonymous = 0;
    for (let round = 0; round < ROUNDS; round += 1) {
      const [own, foreign, withoutSession, inQuery] = await Promise.all([
        stage.request(path, { headers: { 'X-Session-Key': one.sessionKey } }),
        stage.request(path, { headers: { 'X-Session-Key': two.sessionKey } }),
        stage.request(path),
        stage.request(`${path}?sessionKey=${encodeURIComponent(one.sessionKey)}`),
      ]);
      for (const answer of [own, inQuery]) expect((answer.body as Reputation).viewer).toMatchObject({ stars: 2 });
      for (const answer of [foreign, withoutSession]) expect((answer.body as Reputation).viewer).toBeNull();
      for (const answer of [own, inQuery, foreign]) expect(answer.headers['cache-control']).toBe('private, no-store');
      expect(withoutSession.headers['cache-control']).toMatch(/^public/);
      expect(withoutSession.headers.vary).toContain('X-Session-Key');
      anonymous += 1;
    }
    return [
      `${4 * ROUNDS} reads of one profile with two sessions and without, concurrently: each saw their own rating or none; ${anonymous} anonymous ones saw no viewer`,
    ];
  },
};
