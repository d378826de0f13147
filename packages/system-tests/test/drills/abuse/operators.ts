import { operations } from '@lobbystats/contracts';
import { expect } from 'expect';
import { pathTo } from '../../standalone/sign-in.ts';
import type { SharedDrill } from '../drill.ts';
import { postOptions } from './post-options.ts';

const { searchByTime, searchByPlayers, searchByRanks, listGames, rateProfile, updateProfile, getReputation } =
  operations;
const OPERATORS: readonly unknown[] = [
  { $gt: '' },
  { $ne: null },
  { $where: 'sleep(9000)' },
  ['a'],
  [[]],
  [{ $gt: '' }],
];

export const operators: SharedDrill = {
  number: 15,
  name: 'query operators and lists instead of values',
  on: 'either',
  isShort: true,
  run: async (stage) => {
    const [{ sessionKey, username }, other] = stage.users;
    const rate = pathTo(rateProfile.path, other.username);
    const before = await stage.request(pathTo(getReputation.path, other.username));
    const queries = [
      `${searchByTime.path}?time[$gt]=`,
      `${searchByTime.path}?time=${encodeURIComponent('{"$gt":""}')}`,
      `${searchByTime.path}?time=1:00&titleId[$ne]=x&titleId=1&titleId=2`,
      `${searchByPlayers.path}?names[$ne]=a`,
      `${searchByPlayers.path}?names[]=a`,
      `${searchByPlayers.path}?names=a&names=b`,
      `${listGames.path}?limit[$gt]=1&limit=1&limit=2`,
    ];
    for (const path of queries) expect([path, (await stage.request(path)).status]).toEqual([path, 400]);
    const bodies = OPERATORS.flatMap((value) => [
      [searchByRanks.path, { players: value }],
      [searchByRanks.path, { players: [{ playerName: value, rank: 1 }] }],
      [searchByRanks.path, { players: [{ playerName: 'a', rank: value }] }],
      [searchByRanks.path, { players: [{ playerName: 'a', rank: 1 }], titleId: value }],
      [rate, { sessionKey, stars: value }],
      [rate, { sessionKey, stars: 5, comment: value }],
      [rate, { sessionKey: value, stars: 5 }],
      [updateProfile.path, { sessionKey, bio: value }],
      [updateProfile.path, { sessionKey: value, bio: 'x' }],
      [updateProfile.path, { sessionKey, linked_gamertag: value }],
    ]) as [string, object][];
    for (const [path, body] of bodies) {
      const { status } = await stage.request(path, postOptions(body));
      expect([path, body, status]).toEqual([path, body, 400]);
    }
    const reads = ['sessionKey[$gt]=', 'sessionKey=a&sessionKey=b', `sessionKey=${encodeURIComponent('{"$gt":""}')}`];
    for (const query of reads) {
      const answer = await stage.request(`${pathTo(getReputation.path, other.username)}?${query}`);
      expect(answer).toMatchObject({ status: 200, body: { viewer: null } });
    }
    expect((await stage.request(pathTo(getReputation.path, other.username))).text).toBe(before.text);
    return [
      `${queries.length + bodies.length} requests with operators or lists: 400 each; ${reads.length} reads with such a key: viewer null`,
      `the reputation that ${username} tried to reach is the same bytes`,
    ];
  },
};
