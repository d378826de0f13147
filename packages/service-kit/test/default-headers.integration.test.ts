import type { ServerResponse } from 'node:http';
import { getJson } from '@lobbystats/test-kit';
import { startExample } from './example-service.ts';

const FIXED = {
  'x-request-id': 'mine',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'access-control-allow-origin': '*',
};

/** Returns the headers of a response that `answer` writes. */
async function headersOf(answer: (res: ServerResponse) => void): Promise<Record<string, string>> {
  const { url } = await startExample({
    defaultHeaders: { 'Access-Control-Allow-Origin': '*' },
    configure: (app) => {
      app.get('/it', (_req, res) => {
        answer(res);
      });
    },
  });
  const { headers } = await getJson(`${url}/it`, { headers: { 'X-Request-Id': 'mine' } });
  return Object.fromEntries(headers);
}

describe('default headers', () => {
  it.each<[string, (res: ServerResponse) => void]>([
    ['as an object', (res) => res.writeHead(200, { 'X-Own': '1' }).end()],
    ['as a list', (res) => res.writeHead(200, ['X-Own', '1']).end()],
    ['after a reason', (res) => res.writeHead(200, 'Fine', { 'X-Own': '1' }).end()],
    ['one by one', (res) => res.setHeader('X-Own', '1').writeHead(200).end()],
    ['one by one, without a head', (res) => res.setHeader('X-Own', '1').end()],
    ['one by one and with the head', (res) => res.setHeader('X-Own', '0').writeHead(200, { 'X-Own': '1' }).end()],
  ])('are sent beside headers that are set %s', async (_, answer) => {
    expect(await headersOf(answer)).toMatchObject({ ...FIXED, 'x-own': '1' });
  });

  it.each<[string, (res: ServerResponse) => void]>([
    ['as an object', (res) => res.writeHead(200, { 'referrer-policy': 'origin' }).end()],
    ['as a list', (res) => res.writeHead(200, ['Referrer-Policy', 'origin']).end()],
    ['one by one', (res) => res.setHeader('Referrer-Policy', 'origin').writeHead(200, { 'X-Own': '1' }).end()],
  ])('are overridden by a header of the same name that is set %s', async (_, answer) => {
    expect(await headersOf(answer)).toMatchObject({ ...FIXED, 'referrer-policy': 'origin' });
  });
});
