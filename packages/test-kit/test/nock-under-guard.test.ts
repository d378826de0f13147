import { get, type IncomingMessage } from 'node:http';
import { once } from 'node:events';
import { guardNetwork } from '../src/network-guard.ts';
import { nock } from '../src/nock.ts';

describe('nock under the network guard', () => {
  it('answers for an outside host before the guard sees a connection', async () => {
    nock('http://outside.example').get('/').reply(200, 'mocked');
    const [response] = (await once(get('http://outside.example/'), 'response')) as [IncomingMessage];
    expect(String((await response.toArray())[0])).toBe('mocked');
    expect(guardNetwork().takeRefused()).toEqual([]);
  });

  it.each<[string, () => Promise<unknown>]>([
    ['node:http', () => once(get('http://other.example/'), 'error').then(([error]) => error as unknown)],
    ['fetch', () => fetch('http://other.example/').catch((error: unknown) => (error as Error).cause)],
  ])('leaves hosts it does not know to the guard: %s', async (_client, request) => {
    expect(await request()).toMatchObject({ message: expect.stringContaining('other.example:80') });
    expect(guardNetwork().takeRefused()).toEqual(['other.example:80']);
  });
});
