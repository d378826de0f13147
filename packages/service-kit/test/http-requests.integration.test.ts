import { context, type WorkContext } from '@lobbystats/service-kit';
import { eventually, getJson } from '@lobbystats/test-kit';
import { startExample, total } from './example-service.ts';

const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';

describe('requests', () => {
  it.each(['abc-1.2_3', 'A', 'x'.repeat(64)])('a valid request id is kept: %s', async (id) => {
    const { url } = await startExample();
    const { headers } = await getJson(`${url}/nowhere`, { headers: { 'X-Request-Id': id } });
    expect(headers.get('x-request-id')).toBe(id);
  });

  it.each(['', 'x'.repeat(65), 'a b', 'a,b', 'é', '<script>'])('an invalid request id is replaced: %j', async (id) => {
    const { url } = await startExample();
    const { headers } = await getJson(`${url}/nowhere`, { headers: { 'X-Request-Id': id } });
    expect(headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('a handler runs in a context with request id and trace', async () => {
    const seen: (WorkContext | undefined)[] = [];
    const { url } = await startExample({
      routes: [total(async () => seen.push(await Promise.resolve().then(() => context.getStore())))],
    });
    await getJson(`${url}/total`, { headers: { 'X-Request-Id': 'mine', traceparent } });
    await getJson(`${url}/total`, { headers: { traceparent: '00-zz' } });
    await getJson(`${url}/total`, { headers: { traceparent: `00-${'0'.repeat(32)}-b7ad6b7169203331-01` } });
    expect(seen[0]?.requestId).toBe('mine');
    expect(seen[0]?.traceparent).toMatch(/^00-0af7651916cd43dd8448eb211c80319c-(?!b7ad6b7169203331)[0-9a-f]{16}-01$/);
    const traces = seen.map((one) => one?.traceparent.slice(3, 35));
    expect(new Set(traces).size).toBe(3);
    expect(traces).not.toContain('0'.repeat(32));
    expect(context.getStore()).toBeUndefined();
  });

  it('a request is logged at its end, with ids and without its query', async () => {
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

  it('metric labels are operation, method and status class, never text of the request', async () => {
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
