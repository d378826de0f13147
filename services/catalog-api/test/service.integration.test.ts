import { operations } from '@lobbystats/contracts';
import { createMetrics } from '@lobbystats/service-kit';
import { catalogApi } from '../src/service.ts';
import { catalogFixture } from './running-catalog.ts';

const { run } = catalogFixture();

describe('catalog-api', () => {
  it('reports dependencies, network and outbox backlog in /readyz', async () => {
    const catalog = await run();
    const { status, body } = await catalog.get('/readyz');
    expect(status).toBe(200);
    expect(body).toMatchObject({
      status: 'ready',
      service: 'catalog-api',
      network: { origin: 'simulated', simulated: true },
      outbox: { waiting: 0 },
      dependencies: { store: { status: 'up' }, bus: { status: 'up' } },
    });
  });

  it('counts titles, changes and pending facts in metrics', async () => {
    const metrics = createMetrics('catalog-api');
    const catalog = await run({ metrics });
    await catalog.observeHome({ '00000001': { name: 'One' }, '00000002': { name: 'Two' } });
    await catalog.observeHome({ '00000001': { name: 'Uno' }, '00000002': { name: 'Two' } }, { seenAt: 1_800_000_001 });
    const text = await metrics.registry.metrics();
    expect(text).toMatch(/^lobbystats_titles(\{.*\})? 2$/m);
    expect(text).toMatch(/^lobbystats_title_changes_total(\{.*\})? 3$/m);
    expect(text).toMatch(/^lobbystats_outbox_facts(\{.*\})? \d+$/m);
  });

  it('refuses connections after it has stopped', async () => {
    const catalog = await run();
    await catalog.stop();
    await expect(catalog.get(operations.listGames.path)).rejects.toThrow();
  });
});

describe('catalog-api settings', () => {
  it('every setting has a default', () => {
    expect(catalogApi.readConfig({})).toMatchObject({ PORT: 8082, DATABASE_URL: 'sqlite:./data/catalog.sqlite' });
  });

  it.each([
    ['mysql://name:password@127.0.0.1/catalog', /DATABASE_URL must be sqlite:PATH or a URL that begins with mongodb:/],
    ['sqlite:', /DATABASE_URL must be sqlite:PATH/],
    ['postgres://127.0.0.1/catalog', /DATABASE_URL must be sqlite:PATH/],
  ])('rejects DATABASE_URL=%s without repeating it', (url, message) => {
    const read = () => catalogApi.readConfig({ DATABASE_URL: url, PORT: 'x' });
    expect(read).toThrow(message);
    expect(read).toThrow(/PORT must be/);
    expect(read).not.toThrow(/password/);
  });
});
