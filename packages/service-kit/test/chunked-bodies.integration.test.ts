import { once } from 'node:events';
import { connect } from 'node:net';
import { operation } from '@lobbystats/contracts';
import { route } from '@lobbystats/service-kit';
import { z } from 'zod';
import { startExample } from './example-service.ts';
import { exchange } from './raw-exchange.ts';

const postNote = operation({
  ...({ method: 'POST', upstream: 'series-api', audience: 'public', session: 'none' } as const),
  id: 'postNote',
  summary: 'Takes a note in',
  path: '/notes',
  params: z.object({}),
  query: z.object({}),
  body: z.object({ text: z.string() }),
  response: z.strictObject({ text: z.string() }),
  tags: [],
});

const start = () => startExample({ routes: [route(postNote, async ({ body }) => ({ body }))] });
const headOf = (line: string) => `${line} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n`;

describe('a body in chunks', () => {
  it('is read when they are tiny, and ends its connection when they are thousands', async () => {
    const { port } = await start();
    const send = async (length: number) => {
      const chunks = JSON.stringify({ text: 'fox' }).padEnd(length).replace(/./g, '1\r\n$&\r\n');
      const head = `${headOf('POST /notes')}Connection: close\r\nTransfer-Encoding: chunked\r\n\r\n`;
      // The connection may be reset, since a part of the body is not read.
      return exchange(port, `${head}${chunks}0\r\n\r\n`).catch(() => ({ statusLine: '' }));
    };
    expect(await send(1000)).toMatchObject({ statusLine: 'HTTP/1.1 200 OK' });
    expect(await send(3000)).toMatchObject({ statusLine: '' });
  });

  it.each(['POST /unknown', 'GET /notes', 'DELETE /notes'])(
    'is not awaited after the response to %s, as one with a length is',
    async (line) => {
      const { port } = await start();
      const measured = connect(port, '127.0.0.1');
      measured.write(`${headOf(line)}Content-Length: 100\r\n\r\nx`);
      await once(measured, 'data');
      const { statusLine } = await exchange(port, `${headOf(line)}Transfer-Encoding: chunked\r\n\r\n1\r\nx\r\n`);
      expect(statusLine).toMatch(/^HTTP\/1\.1 4\d\d /);
      expect(measured.readyState).toBe('open');
      measured.destroy();
    },
  );
});
