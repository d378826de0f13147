import { context, type WorkContext } from '@lobbystats/service-kit';
import { eventually, getJson } from '@lobbystats/test-kit';
import { startExample, total } from './example-service.ts';

const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';

describe('a request', () => {
  it.each(['abc-1.2_3', 'A', 'x'.repeat(64)])('keeps its id %s', async (id) => {
    const { url } = await startExample();
    const { headers } = await getJson(`${url}/nowhere`, { headers: { 'X-Request-Id': id } });
    expect(headers.get('x-request-id')).toBe(id);
  });

  it.each(['', 'x'.repeat(65), 'a b', 'a,b', 'é', '<script>'])('gets an id in the place of %j', async (id) => {
    const { url } = await startExample();
    const { headers } = await getJson(`${url}/nowhere`, { headers: { 'X-Request-Id': id } });
    expect(headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('is worked on in its context: its id, its trace, a span of its own', async () => {
    const seen: (WorkContext | undefined)[] = [];
    const { url } = await startExample({
      routes: [total(async () => seen.push(await Promise.resolve().then(() => context.current())))],
    });
    await getJson(`${url}/total`, { headers: { 'X-Request-Id': 'mine', traceparent } });
    await getJson(`${url}/total`, { headers: { traceparent: '00-zz' } });
    await getJson(`${url}/total`, { headers: { traceparent: `00-${'0'.repeat(32)}-b7ad6b7169203331-01` } });
    expect(seen[0]?.requestId).toBe('mine');
    expect(seen[0]?.traceparent).toMatch(/^00-0af7651916cd43dd8448eb211c80319c-(?!b7ad6b7169203331)[0-9a-f]{16}-01$/);
    const traces = seen.map((one) => one?.traceparent.slice(3, 35));
    expect(new Set(traces).size).toBe(3);
    expect(traces).not.toContain('0'.repeat(32));
    expect(context.current()).toBeUndefined();
  });

  it('is logged when it is over, without its query and with its ids', async () => {
    const { url, lines } = await startExample();
    await getJson(`${url}/titles/4d530064/scores?q=private&sessionKey=hunter2`, {
      headers: { 'X-Request-Id': 'mine', 'X-Session-Key': 'hunter2', traceparent },
    });
    const line = await eventually(() => {
      const found = lines.find(({ message }) => message === 'request');
      expect(found).toBeDefined();
      return found;
    });
    expect(line).toMatchObject({
      level: 'debug',
      operation: 'getScores',
      method: 'GET',
      path: '/titles/4d530064/scores',
      status: 200,
      requestId: 'mine',
      traceId: '0af7651916cd43dd8448eb211c80319c',
    });
    expect(JSON.stringify(lines)).not.toMatch(/hunter2|private/);
  });

  it('is counted by operation, method and kind of status, never by what the caller chose', async () => {
    const { url, samples } = await startExample();
    await getJson(`${url}/titles/4d530064/scores`);
    await getJson(`${url}/titles/nonsense/scores`);
    await getJson(`${url}/nowhere/at-all`);
    const text = await eventually(async () => {
      const read = await samples();
      expect(read).toContain('operation="other"');
      return read;
    });
    const counts = [...text.matchAll(/duration_seconds_count\{(.*)\} 1$/gm)].map(([, labels]) => labels!.split(','));
    expect(counts.map((labels) => labels.sort().join()).sort()).toEqual([
      'method="GET",operation="getScores",service="example",status="2xx"',
      'method="GET",operation="getScores",service="example",status="4xx"',
      'method="GET",operation="other",service="example",status="4xx"',
    ]);
    expect(text).not.toMatch(/nowhere|4d530064|nonsense/);
  });
});
