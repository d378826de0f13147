import { operations } from '@lobbystats/contracts';
import { expect } from 'expect';
import { pathTo } from '../../standalone/sign-in.ts';
import type { SharedDrill } from '../drill.ts';
import { postOptions } from './post-options.ts';

const NAMES = ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', '__defineGetter__'];
const MARK = 'lobbystats-drill-polluted';

export const prototypes: SharedDrill = {
  number: 21,
  name: '__proto__ and constructor in bodies, names and keys',
  on: 'either',
  isShort: true,
  run: async (stage) => {
    const [{ sessionKey }, other] = stage.users;
    const { searchByRanks, updateProfile, rateProfile, getGame, listGames, searchOnePlayer, getProfile } = operations;
    const reads = [listGames.path, pathTo(getProfile.path, other.username), operations.listAchievements.path];
    const before = await Promise.all(reads.map((path) => stage.request(path)));
    let sent = 0;
    for (const name of NAMES) {
      const polluting = `{"${name}":{"${MARK}":1,"prototype":{"${MARK}":1},"status":200},`;
      const searched = `${polluting}"players":[{"playerName":"${name}","rank":1,"${name}":{"${MARK}":1}}]}`;
      expect((await stage.request(searchByRanks.path, postOptions(searched))).status).toBe(200);
      const written = `${polluting}"stars":5,"sessionKey":${JSON.stringify(sessionKey)}}`;
      for (const path of [updateProfile.path, pathTo(rateProfile.path, other.username)]) {
        expect((await stage.request(path, postOptions(written))).status).toBe(400);
      }
      // A game may have such a name; it is its own then.
      const game = await stage.request(String(getGame.gamePath).replace(':game', name));
      expect(game.status === 404 || (game.body as { name: string }).name.toLowerCase() === name.toLowerCase()).toBe(
        true,
      );
      expect((await stage.request(getGame.path.replace(':titleId', name))).status).toBe(404);
      expect(await stage.request(searchOnePlayer.path.replace(':player', name))).toMatchObject({ status: 200 });
      expect((await stage.request(`${listGames.path}?${name}[${MARK}]=1&${name}=1`)).status).toBe(200);
      sent += 7;
    }
    // An object with more than its own fields would show them: in JSON, in a query's fields, in errors.
    const after = await Promise.all(reads.map((path) => stage.request(path)));
    expect(after.map(({ text }) => text)).toEqual(before.map(({ text }) => text));
    const error = await stage.request(getGame.path.replace(':titleId', 'x'));
    expect([...after, error].filter(({ text }) => text.includes(MARK))).toEqual([]);
    expect(Object.keys(error.body as object)).toEqual(['error']);
    return [
      `${sent} requests with ${NAMES.length} names; ${reads.length} answers are the same bytes afterwards, and no object has a field that is not its own`,
    ];
  },
};
