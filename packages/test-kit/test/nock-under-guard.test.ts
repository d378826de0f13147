import { get, type IncomingMessage } from 'node:http';
import { once } from 'node:events';
import nock from 'nock';
import { guardNetwork } from '../src/network-guard.ts';

describe('nock under the network guard', () => {
  afterAll(() => {
    nock.restore();
  });

  it('answers for an outside host before the guard sees a connection', async () => {
    nock('http://outside.example').get('/').reply(200, 'mocked');
    const [response] = (await once(get('http://outside.example/'), 'response')) as [IncomingMessage];
    expect(String((await response.toArray())[0])).toBe('mocked');
    expect(guardNetwork().takeRefused()).toEqual([]);
  });

  it('leaves hosts it does not know to the guard', async () => {
    const [error] = (await once(get('http://other.example/'), 'error')) as [Error];
    expect(error.message).toContain('other.example:80');
    expect(guardNetwork().takeRefused()).toEqual(['other.example:80']);
  });
});
