import { formatInstant, iconObserved, iconStored, operations } from '@lobbystats/contracts';
import { catalogFixture, NOW, waitUntil, type RunningCatalog } from './running-catalog.ts';

const fixture = catalogFixture();
const TITLE = '54540001';
const IMAGE = iconObserved.example.image;

async function observe(catalog: RunningCatalog, seenAt: number, image = IMAGE): Promise<void> {
  await catalog.bus.publish(iconObserved, { seenAt: formatInstant(seenAt), titleId: TITLE, image });
  await waitUntil(async () => (await catalog.bus.depth('catalog-api')) === 0);
}

const path = operations.getIcon.path.replace(':titleId', TITLE);

describe('icons of titles', () => {
  it('are served to the gateway as they were observed, with a fact for each other image', async () => {
    const catalog = await fixture.run();
    expect((await catalog.get(path)).status).toBe(404);
    await observe(catalog, NOW - 60);
    expect((await catalog.get(path)).body).toEqual({ image: IMAGE });
    await observe(catalog, NOW - 30);
    const other = Buffer.from('another image').toString('base64');
    await observe(catalog, NOW, other);
    expect((await catalog.get(path)).body).toEqual({ image: other });
    await waitUntil(() => catalog.published(iconStored).length === 2);
    expect(catalog.published(iconStored).map(({ data }) => data)).toEqual([{ titleId: TITLE }, { titleId: TITLE }]);
  });

  it('of the far future become dead letters', async () => {
    const catalog = await fixture.run();
    await observe(catalog, NOW + 86_400);
    expect((await catalog.get(path)).status).toBe(404);
  });
});
