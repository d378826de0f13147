import { SLOT_SECONDS, type ObservedMetadata } from '@lobbystats/contracts';
import { setStage, SLOT, type Stage } from './running-collector.ts';

const METADATA_SLOT = SLOT + 2 * SLOT_SECONDS;

let stage: Stage;
beforeEach(async () => {
  stage = await setStage();
});
afterEach(() => stage.close());

const publishedTitles = () => stage.titles.flatMap(({ data }) => data.titles);
const homes = () => publishedTitles().filter(({ home }) => home !== undefined);
const pages = () => publishedTitles().filter((title) => title.page !== undefined);
const byId = (one: ObservedMetadata, other: ObservedMetadata) => (one.titleId < other.titleId ? -1 : 1);
const nameAt = (slot: number, titleId: string) => stage.world.titleAt(slot, titleId)?.name;
const gameRequests = async () =>
  Object.entries((await stage.requests()).byPath).filter(([path]) => path.startsWith('/games/'));

describe('publishing titles', () => {
  it('publishes every title at the first start, with data of its homepage row and its own page', async () => {
    await stage.collector();
    const titles = stage.world.titlesAt(SLOT);
    await stage.until(() => homes().length === titles.length && pages().length === titles.length);
    const expected = titles.map(({ titleId, name, fullTitle, publisher, releaseDate, productCode }) => ({
      home: {
        titleId,
        home: {
          name: name.trim(),
          image: `${stage.url}/icons/${titleId}.png`,
          publisher: publisher ?? '',
          productCode,
        },
      },
      page: {
        titleId,
        page: {
          title: fullTitle.replace(/\s+/g, ' ').trim(),
          publisher: publisher ?? '',
          releaseDate: releaseDate ?? '',
        },
      },
    }));
    expect(homes().sort(byId)).toEqual(expected.map(({ home }) => home));
    expect(pages().sort(byId)).toEqual(expected.map(({ page }) => page));
  });

  it('publishes titles before their slot is published', async () => {
    const [lost] = stage.world.observe(SLOT).titles.filter(({ sessions }) => sessions > 0);
    await stage.faults({ path: `/games/${lost?.titleId}`, kind: 'status', status: 500 });
    await stage.collector();
    await stage.until(() => homes().length === stage.world.titlesAt(SLOT).length);
    expect(stage.slots).toEqual([]);
  });

  it('publishes titles again only when they change, and reads their pages every 15 minutes', async () => {
    const collector = await stage.collector();
    const titles = stage.world.titlesAt(SLOT);
    await stage.until(() => pages().length === titles.length && stage.slots.length === 1);
    await stage.pagesRead();
    const before = publishedTitles().length;
    stage.clock.nowMs = METADATA_SLOT * 1000;
    await collector.tick();
    await stage.until(() => stage.slots.length === 2);
    await stage.pagesRead();
    const present = stage.world.titlesAt(METADATA_SLOT).map(({ titleId }) => titleId);
    const still = titles.filter(({ titleId }) => present.includes(titleId));
    const twice = (await gameRequests()).filter(([, count]) => count === 2);
    expect(twice).toHaveLength(still.length);
    const renamed = titles.filter(({ titleId, name }) => nameAt(METADATA_SLOT, titleId) !== name);
    const news = publishedTitles().slice(before);
    expect(news).toHaveLength(2 * (renamed.length + present.length - still.length));
    expect(renamed.map(({ titleId }) => titleId).sort()).toEqual(
      [...new Set(news.map(({ titleId }) => titleId))].sort(),
    );
  });

  it('neither publishes nor reads what a homepage with absurdly many new titles adds', async () => {
    const collector = await stage.collector();
    await stage.until(() => stage.slots.length === 1);
    await stage.pagesRead();
    await stage.faults({ path: '/', kind: 'titles', count: 200 });
    for (let slot = 1; slot <= 3; slot += 1) {
      stage.clock.nowMs += SLOT_SECONDS * 1000;
      await collector.tick();
      await stage.until(() => stage.slots.length === slot + 1);
    }
    await stage.pagesRead();
    const known = new Set(stage.world.titlesAt(SLOT).map(({ titleId }) => titleId));
    const isNew = (titleId: string) => !known.has(titleId) && nameAt(SLOT + 900, titleId) === undefined;
    expect(publishedTitles().filter(({ titleId }) => isNew(titleId))).toEqual([]);
    expect(stage.slots.flatMap(({ data }) => data.titles).filter(({ titleId }) => isNew(titleId))).toEqual([]);
    expect((await gameRequests()).length).toBeLessThan(2 * known.size);
    expect((await stage.store.titles.all()).size).toBeLessThan(2 * known.size);
  });

  it('publishes titles again when their homepage data changes', async () => {
    const old = await stage.collector({ env: { NETWORK_PUBLIC_URL: 'https://old.example' } });
    await stage.until(() => stage.slots.length === 1);
    await stage.pagesRead();
    await old.stop();
    stage.clock.nowMs = (SLOT + SLOT_SECONDS) * 1000;
    const before = homes().length;
    await stage.collector({ env: { NETWORK_PUBLIC_URL: 'https://new.example/at' } });
    await stage.until(() => stage.slots.length === 2);
    const again = homes().slice(before);
    expect(again).toHaveLength(stage.world.titlesAt(SLOT + SLOT_SECONDS).length);
    expect(new Set(again.map(({ home }) => new URL(home?.image ?? '').host))).toEqual(new Set(['new.example']));
  });

  it('publishes the slot when the pages of idle titles return 404', async () => {
    const idle = stage.world.observe(SLOT).titles.filter(({ sessions }) => sessions === 0);
    await stage.faults(...idle.map(({ titleId }) => ({ path: `/games/${titleId}`, kind: 'status', status: 404 })));
    await stage.collector();
    await stage.until(() => stage.slots.length === 1);
    await stage.pagesRead();
    const { byPath } = await stage.requests();
    expect(idle.map(({ titleId }) => byPath[`/games/${titleId}`])).toEqual(idle.map(() => 1));
  });
});
