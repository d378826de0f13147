import { AppError } from '@lobbystats/contracts/errors';
import { createHealth } from '@lobbystats/service-kit';
import { getJson } from '@lobbystats/test-kit';
import { startExample } from './example-service.ts';

function exampleHealth() {
  return createHealth({ service: 'example', details: () => ({ network: 'simulated' }) });
}

describe('health', () => {
  it('/healthz answers 200 while the service runs', async () => {
    const { url } = await startExample();
    const answer = await getJson(`${url}/healthz`);
    expect(answer).toMatchObject({ status: 200, body: { status: 'alive', service: 'example' } });
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect((await getJson(`${url}/healthz`, { method: 'HEAD' })).status).toBe(200);
  });

  it('/readyz answers 200 and lists the dependencies when all are up', async () => {
    const health = exampleHealth();
    health.dependency('store', async () => undefined);
    const { url } = await startExample({ health });
    const answer = await getJson(`${url}/readyz`);
    expect(answer).toMatchObject({ status: 200 });
    expect(answer.body).toEqual({
      network: 'simulated',
      status: 'ready',
      service: 'example',
      dependencies: { store: { status: 'up' } },
    });
    expect(answer.headers.get('cache-control')).toBe('no-store');
  });

  it('/readyz answers 503 without driver messages when a dependency is down', async () => {
    const health = exampleHealth();
    health.dependency('store', async () => undefined);
    health.dependency('bus', async () => {
      throw new Error('ECONNREFUSED 10.0.0.7:5672');
    });
    health.dependency('titles', async () => {
      throw new AppError('unavailable', 'not loaded yet');
    });
    const { url } = await startExample({ health });
    expect(await getJson(`${url}/readyz`)).toMatchObject({
      status: 503,
      body: {
        status: 'not ready',
        dependencies: {
          store: { status: 'up' },
          bus: { status: 'down', error: 'does not work' },
          titles: { status: 'down', error: 'not loaded yet' },
        },
      },
    });
  });

  it('a check that throws synchronously counts as down', async () => {
    const health = exampleHealth();
    health.dependency('store', () => {
      throw new Error('not even a promise');
    });
    expect(await health.report()).toMatchObject({ status: 'not ready', dependencies: { store: { status: 'down' } } });
  });

  it('a hanging check times out after 2 s and is not started twice', async () => {
    let checks = 0;
    const health = exampleHealth();
    health.dependency('store', () => {
      checks += 1;
      return new Promise(() => undefined);
    });
    const [report] = await Promise.all([health.report(), health.report(), health.report()]);
    expect(report.dependencies).toEqual({ store: { status: 'down', error: 'no answer within 2000 ms' } });
    expect(checks).toBe(1);
  });

  it('logs once when a dependency goes down, with the cause, and once when it is up again', async () => {
    let down = true;
    const health = exampleHealth();
    health.dependency('store', async () => {
      if (down) throw new Error('disk full');
    });
    const { url, lines } = await startExample({ health });
    await getJson(`${url}/readyz`);
    await getJson(`${url}/readyz`);
    down = false;
    await getJson(`${url}/readyz`);
    expect(lines.filter(({ dependency }) => dependency === 'store')).toEqual([
      expect.objectContaining({
        level: 'warn',
        message: 'dependency down',
        error: expect.objectContaining({ message: 'disk full' }),
      }),
      expect.objectContaining({ level: 'info', message: 'dependency up again' }),
    ]);
  });
});
