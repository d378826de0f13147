import { eventually } from '@lobbystats/test-kit';
import { DAY_SECONDS, ICON_BYTES_MAX, ICON_SIZE, SLOT_SECONDS } from '@lobbystats/contracts';
import type { Collector } from '../src/service.ts';
import { readImageHeader } from '../src/sources/images/image-header.ts';
import { setStage, SLOT, type Stage } from './running-collector.ts';

let stage: Stage;
let titleIds: string[];
beforeEach(async () => {
  stage = await setStage({ titles: 6, openMatches: 4, boards: 2 });
  titleIds = stage.world.titlesAt(SLOT).map(({ titleId }) => titleId);
});
afterEach(() => stage.close());

/** Slots after the first one, whose homepage names the titles. */
async function runSlots(collector: Collector, ...slots: readonly number[]): Promise<void> {
  await stage.until(() => stage.titles.length > 0);
  for (const slot of slots) {
    stage.clock.nowMs = (slot + 1) * 1000;
    await collector.tick();
  }
}

const NEXT = SLOT + SLOT_SECONDS;
const pathOf = (titleId: string) => `/icons/${titleId}.png`;
const observed = () => stage.icons.map(({ data }) => data.titleId).sort();
const headerOf = (image: string) => readImageHeader(Buffer.from(image, 'base64'));

async function iconRequests(): Promise<Record<string, number>> {
  const { byPath } = (await (await fetch(`${stage.url}/simulator/requests`)).json()) as {
    byPath: Record<string, number>;
  };
  return Object.fromEntries(Object.entries(byPath).filter(([path]) => path.startsWith('/icons/')));
}

describe('icons', () => {
  it('are read once, and published as small images of another format', async () => {
    const collector = await stage.collector();
    await runSlots(collector, NEXT, NEXT + SLOT_SECONDS);
    await stage.until(() => stage.icons.length === titleIds.length);
    expect(observed()).toEqual(titleIds.toSorted());
    for (const { data } of stage.icons) {
      expect(headerOf(data.image)).toEqual({ type: 'webp', width: ICON_SIZE, height: ICON_SIZE });
      expect(Buffer.from(data.image, 'base64').length).toBeLessThan(ICON_BYTES_MAX);
    }
    expect(new Set(stage.icons.map(({ data }) => data.image)).size).toBe(titleIds.length);
    expect(await iconRequests()).toEqual(Object.fromEntries(titleIds.map((titleId) => [pathOf(titleId), 1])));
  });

  it('are asked for conditionally a day later, and published again for consumers that lost them', async () => {
    const collector = await stage.collector();
    await runSlots(collector, NEXT);
    await stage.until(() => stage.icons.length === titleIds.length);
    const before = new Map(stage.icons.splice(0).map(({ data }) => [data.titleId, data.image]));
    await runSlots(collector, NEXT + DAY_SECONDS - SLOT_SECONDS);
    expect(stage.icons).toEqual([]);
    await stage.faults({ path: '/icons', kind: 'image', form: 'huge' });
    await runSlots(collector, NEXT + DAY_SECONDS, NEXT + DAY_SECONDS + SLOT_SECONDS);
    // The image of the fault has another ETag, and can't be read.
    expect(stage.icons).toEqual([]);
    await stage.faults();
    await runSlots(collector, NEXT + 2 * DAY_SECONDS + SLOT_SECONDS);
    await stage.until(() => stage.icons.length >= titleIds.length);
    expect(new Map(stage.icons.map(({ data }) => [data.titleId, data.image]))).toEqual(before);
  });

  it('of other hosts are not requested, and not looked at again before the next day', async () => {
    const collector = await stage.collector();
    await runSlots(collector);
    await stage.until(() => stage.icons.length === titleIds.length);
    const image = 'http://other.example/icon.png';
    await stage.store.titles.recordHomes(new Map([['0000abcd', { digest: '', image }]]));
    await runSlots(collector, NEXT);
    await eventually(async () => expect((await stage.store.titles.get('0000abcd'))?.iconAt).toBe(NEXT));
    expect(stage.icons).toHaveLength(titleIds.length);
  });

  it.each(['huge', 'bomb', 'long', 'empty', 'svg', 'html'] as const)(
    'that are hostile (%s) are refused, and hold up neither other icons nor the slot',
    async (form) => {
      const [victim = ''] = titleIds;
      await stage.faults({ path: pathOf(victim), kind: 'image', form });
      const collector = await stage.collector();
      await runSlots(collector, NEXT, NEXT + SLOT_SECONDS);
      await stage.until(() => stage.icons.length === titleIds.length - 1);
      expect(observed()).toEqual(titleIds.filter((titleId) => titleId !== victim).sort());
      expect((await iconRequests())[pathOf(victim)]).toBe(1);
      await stage.until(() => stage.slots.some(({ data }) => data.slot.includes('18:05')));
    },
  );

  it('of an animation show its first picture, whatever the media type', async () => {
    const [animated = ''] = titleIds;
    await stage.faults(
      { path: pathOf(animated), kind: 'image', form: 'animated' },
      { path: '/icons', kind: 'content-type' },
    );
    await runSlots(await stage.collector(), NEXT);
    await stage.until(() => stage.icons.length === titleIds.length);
    const { image = '' } = stage.icons.find(({ data }) => data.titleId === animated)?.data ?? {};
    expect(headerOf(image)).toEqual({ type: 'webp', width: 1, height: 1 });
  });

  it.each([
    ['cut off', { kind: 'truncate', ends: 'cleanly' }],
    ['not there', { kind: 'status', status: 404 }],
  ])('that are %s are asked for again a day later', async (_, fault) => {
    const [victim = ''] = titleIds;
    await stage.faults({ path: pathOf(victim), ...fault });
    const collector = await stage.collector();
    await runSlots(collector, NEXT, NEXT + SLOT_SECONDS);
    await stage.until(() => stage.icons.length === titleIds.length - 1);
    await stage.faults();
    await runSlots(collector, NEXT + DAY_SECONDS);
    await stage.until(() => observed().includes(victim));
    expect((await iconRequests())[pathOf(victim)]).toBe(2);
  });

  it('are left alone for the slot when the network fails, and asked for again soon', async () => {
    await stage.faults({ path: '/icons', kind: 'status', status: 500 });
    const collector = await stage.collector();
    await runSlots(collector, NEXT);
    expect(Object.values(await iconRequests())).toEqual([1]);
    await stage.faults();
    await runSlots(collector, NEXT + SLOT_SECONDS);
    await stage.until(() => stage.icons.length === titleIds.length - 1);
    await runSlots(collector, NEXT + 3600);
    await stage.until(() => stage.icons.length === titleIds.length);
  });
});
