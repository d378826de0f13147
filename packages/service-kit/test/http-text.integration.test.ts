import { operation } from '@lobbystats/contracts';
import { notFound, route } from '@lobbystats/service-kit';
import { getJson } from '@lobbystats/test-kit';
import { z } from 'zod';
import { startExample } from './example-service.ts';

const getNotice = operation({
  id: 'getNotice',
  summary: 'A text',
  method: 'GET',
  upstream: 'series-api',
  audience: 'public',
  session: 'none',
  path: '/notice.txt',
  mediaType: 'text/plain; charset=utf-8',
  params: z.object({}),
  query: z.object({}),
  response: z.string(),
  tags: [],
});

describe('a text response', () => {
  it('is sent with its media type, and errors as JSON', async () => {
    const notice = jest.fn().mockResolvedValueOnce({ body: 'Grüße\r\n', lastModified: 1_770_000_000 });
    const { url } = await startExample({
      routes: [route(getNotice, notice.mockRejectedValueOnce(notFound('notice')))],
    });
    const { status, headers, body } = await getJson(`${url}/notice.txt`);
    expect([status, body]).toEqual([200, 'Grüße\r\n']);
    expect(headers.get('content-type')).toBe('text/plain; charset=utf-8');
    expect(headers.get('content-length')).toBe('9');
    expect(headers.get('last-modified')).toBe('Mon, 02 Feb 2026 02:40:00 GMT');
    expect(headers.get('etag')).toMatch(/^"[\w-]{27}"$/);
    const error = await getJson(`${url}/notice.txt`);
    expect(error.headers.get('etag')).toBeNull();
    expect(error).toMatchObject({ status: 404, body: { error: 'Unknown notice' } });
    expect(error.headers.get('content-type')).toBe('application/json; charset=utf-8');
  });
});
