import { randomBytes } from 'node:crypto';
import { operations } from '@lobbystats/contracts';
import { expect } from 'expect';
import { sendRaw } from '@lobbystats/test-kit/send-request';
import type { SharedDrill } from '../drill.ts';

const HOST = 'Host: example\r\n';
const { getOnlineSummary, searchByRanks } = operations;

export const smuggling: SharedDrill = {
  number: 18,
  name: 'CRLF and NUL in headers, a length with chunks',
  on: 'either',
  isShort: true,
  run: async (stage) => {
    const secret = `/${randomBytes(12).toString('hex')}`;
    const smuggled = `GET ${secret} HTTP/1.1\r\n${HOST}\r\n`;
    const get = (header: string) => `GET ${getOnlineSummary.path} HTTP/1.1\r\n${HOST}${header}\r\n\r\n${smuggled}`;
    const post = (headers: string, body: string) =>
      `POST ${searchByRanks.path} HTTP/1.1\r\n${HOST}Content-Type: application/json\r\n${headers}\r\n${body}`;
    const cases: [string, string][] = [
      ['a length and chunks', post('Content-Length: 5\r\nTransfer-Encoding: chunked\r\n', `0\r\n\r\n${smuggled}`)],
      ['chunks and a length', post('Transfer-Encoding: chunked\r\nContent-Length: 5\r\n', `0\r\n\r\n${smuggled}`)],
      ['two lengths', post('Content-Length: 2\r\nContent-Length: 50\r\n', `{}${smuggled}`)],
      ['a list of lengths', post('Content-Length: 2, 50\r\n', `{}${smuggled}`)],
      ['a length with a sign', post('Content-Length: +2\r\n', `{}${smuggled}`)],
      ['an unknown coding', post('Transfer-Encoding: xchunked\r\n', `0\r\n\r\n${smuggled}`)],
      ['a chunk of no length', post('Transfer-Encoding: chunked\r\n', `x\r\n\r\n${smuggled}`)],
      ['NUL in a header', get('X: a\0b')],
      ['a bare CR in a header', get('X: a\rContent-Length: 9')],
      ['NUL in a path', `GET ${getOnlineSummary.path}\0 HTTP/1.1\r\n${HOST}\r\n${smuggled}`],
      ['two hosts', `GET ${secret} HTTP/1.1\r\n${HOST}Host: other\r\nConnection: close\r\n\r\n`],
    ];
    const mark = stage.markLog();
    const accepted: string[] = [];
    for (const [what, bytes] of cases) {
      const received = await sendRaw(stage.url, bytes);
      const statuses = [...received.matchAll(/^HTTP\/1\.1 (\d+)/gm)].map(([, status]) => Number(status));
      const isRefused = statuses.length === 1 && statuses[0] === 400;
      if (!isRefused || !/\r\n\r\n[^]*\{"error":"[^"]+"\}/.test(received))
        accepted.push(`${what}: ${received.slice(0, 300)}`);
    }
    expect(accepted).toEqual([]);
    expect((await stage.logs(mark)).includes(secret)).toBe(false);
    return [
      `${cases.length} requests that two readers could take for two: one 400 each, closed; none of those behind them in the log`,
    ];
  },
};
