import { operations } from '@lobbystats/contracts';
import { expect } from 'expect';
import { pathTo } from '../../standalone/sign-in.ts';
import type { SharedDrill } from '../drill.ts';
import { postOptions } from './post-options.ts';

const SERVICES = ['gateway', 'user-api', 'reputation-api', 'catalog-api', 'series-api', 'collector'];

export const sessionKeys: SharedDrill = {
  number: 24,
  name: 'session keys leak nowhere',
  on: 'either',
  run: async (stage) => {
    const [{ sessionKey, username }, other] = stage.users;
    const { rateProfile, updateProfile, getReputation, listGames } = operations;
    const [rate, read] = [rateProfile.path, getReputation.path].map((path) => pathTo(path, other.username)) as [
      string,
      string,
    ];
    const inHeader = { 'X-Session-Key': sessionKey };
    const inQuery = `sessionKey=${encodeURIComponent(sessionKey)}`;
    const answers = [
      await stage.request(rate, postOptions({ stars: 4 }, inHeader)),
      await stage.request(rate, postOptions({ sessionKey, stars: 4, comment: 'fast' })),
      await stage.request(updateProfile.path, postOptions({ sessionKey, bio: 'Up before the birds.' })),
      await stage.request(`${updateProfile.path}?${inQuery}`, postOptions({ bio: 'x' })),
      await stage.request(rate, postOptions(`{"sessionKey":${JSON.stringify(sessionKey)},`, inHeader)),
      await stage.request(rate, postOptions({ sessionKey, stars: 99, [sessionKey]: 1 })),
      await stage.request(pathTo(rateProfile.path, username), postOptions({ sessionKey, stars: 5 })),
      await stage.request(`${read}?${inQuery}`),
      await stage.request(read, { headers: inHeader }),
      await stage.request(`${read}?feedbackLimit=x&${inQuery}`, { headers: inHeader }),
      await stage.request(`${listGames.path}?${inQuery}`, {
        headers: { ...inHeader, Referer: `${stage.url}/?${inQuery}` },
      }),
      await stage.request(`/nothing?${inQuery}`, { headers: inHeader, method: 'DELETE' }),
      await stage.request(`${listGames.path}?${inQuery}`, { method: 'PUT', headers: inHeader }),
    ];
    const keys = [
      sessionKey,
      encodeURIComponent(sessionKey),
      Buffer.from(sessionKey).toString('base64'),
      Buffer.from(sessionKey).toString('hex'),
    ];
    const has = (text: string) => keys.some((key) => text.includes(key));
    const upstream = await (await fetch(`${stage.networkUrl}/simulator/requests`)).text();
    const metrics = (await Promise.all(SERVICES.map((service) => stage.metrics(service)))).join('\n');
    const log = await stage.logs();
    const textBySource: Record<string, string> = {
      answers: answers.map(({ headers, text }) => JSON.stringify(headers) + text).join('\n'),
      ...{ logs: log, metrics, 'URLs that the network was asked for': upstream },
    };
    expect(Object.keys(textBySource).filter((name) => has(textBySource[name] ?? ''))).toEqual([]);
    expect(await stage.countStored([username])).toBeGreaterThan(0);
    expect(await stage.countStored(keys)).toBe(0);
    const policies = new Set(answers.map(({ headers }) => headers['referrer-policy']));
    expect([...policies]).toEqual(['no-referrer']);
    const sizes = Object.entries(textBySource).map(([name, text]) => `${name} (${(text.length / 1024).toFixed(0)} KB)`);
    return [
      `used in ${answers.length} ways, it is in no store and in none of: ${sizes.join(', ')}; every answer says Referrer-Policy: no-referrer`,
    ];
  },
};
