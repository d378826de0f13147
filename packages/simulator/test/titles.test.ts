import { createWorld } from '../src/world/world.ts';
import { NOW_SLOT } from './running-simulator.ts';

const DAY = 86_400;
const world = createWorld();
const titles = world.titlesAt(NOW_SLOT);

describe('titles', () => {
  it('match the configured number, with unique IDs and matching product codes', () => {
    expect(titles.length).toBeGreaterThanOrEqual(199);
    expect(titles.length).toBeLessThanOrEqual(200);
    expect(new Set(titles.map(({ titleId }) => titleId)).size).toBe(titles.length);
    for (const { titleId, productCode } of titles) {
      expect(titleId).toMatch(/^[0-9a-f]{8}$/);
      const letters = Buffer.from(titleId.slice(0, 4), 'hex').toString('latin1');
      const number = Number.parseInt(titleId.slice(4), 16);
      expect(productCode).toBe(`${letters}-${String(number).padStart(3, '0')}`);
    }
  });

  it('are ordered by ID', () => {
    const ids = titles.map(({ titleId }) => titleId);
    expect(ids).toEqual([...ids].sort());
  });

  it('include awkward names', () => {
    const names = titles.map(({ name }) => name);
    expect(names).toEqual(
      expect.arrayContaining(['Salt & Sabre', '__proto__', 'constructor', 'Either/Or', 'The "Last" Lantern']),
    );
    expect(names).toEqual(expect.arrayContaining(['Frost <Zero>', "Mariner's Ember", 'Fifty%2FFifty', '夜の灯台']));
    expect(Math.max(...names.map((name) => name.length))).toBeGreaterThan(200);
    expect(names.filter((name) => titles.some(({ titleId }) => titleId === name))).toHaveLength(1);
    expect(names.filter((name) => name === 'Harbour Lights')).toHaveLength(2);
    const accented = names.filter((name) => name.normalize('NFC') === 'Étoile Noire'.normalize('NFC'));
    expect(new Set(accented).size).toBe(2);
  });

  it('sometimes lack a publisher or a release date', () => {
    expect(titles.some(({ publisher }) => publisher === null)).toBe(true);
    expect(titles.some(({ releaseDate }) => releaseDate === null)).toBe(true);
  });

  it('share the configured number of leaderboards', () => {
    const few = createWorld({ titles: 7, boards: 1_000 });
    const boards = few.titlesAt(NOW_SLOT).map((title) => few.boardsOf(title));
    expect(boards.flat()).toHaveLength(1_000);
    for (const ofTitle of boards) expect(new Set(ofTitle.map(({ name }) => name)).size).toBe(ofTitle.length);
  });

  it('one is launched and one removed within any 30 days', () => {
    for (const end of [NOW_SLOT, NOW_SLOT - 400 * DAY, NOW_SLOT + 1_000 * DAY]) {
      const before = idsAt(end - 30 * DAY);
      const after = idsAt(end);
      expect(after.filter((titleId) => !before.includes(titleId)).length).toBeGreaterThan(0);
      expect(before.filter((titleId) => !after.includes(titleId)).length).toBeGreaterThan(0);
    }
  });

  it('knownTitle finds removed titles, but none before its launch', () => {
    const removedTitleId = idsAt(NOW_SLOT - 30 * DAY).find((titleId) => !idsAt(NOW_SLOT).includes(titleId))!;
    expect(world.titleAt(NOW_SLOT, removedTitleId)).toBeUndefined();
    expect(world.observeTitle(NOW_SLOT, removedTitleId)).toBeUndefined();
    expect(world.knownTitle(NOW_SLOT, removedTitleId)?.titleId).toBe(removedTitleId);
    expect(world.knownTitle(NOW_SLOT - 400 * DAY, removedTitleId)).toBeUndefined();
  });

  it('one is renamed within 30 days', () => {
    const before = new Map(world.titlesAt(NOW_SLOT - 30 * DAY).map(({ titleId, name }) => [titleId, name]));
    const renamed = titles.filter(({ titleId, name }) => before.has(titleId) && before.get(titleId) !== name);
    expect(renamed).toHaveLength(1);
    expect(renamed[0]!.name).toContain('Season of');
  });

  it('none is launched or removed when there are too few titles', () => {
    const few = createWorld({ titles: 3 });
    expect(few.titlesAt(NOW_SLOT)).toHaveLength(3);
    expect(createWorld({ titles: 1 }).observe(NOW_SLOT).titles).toHaveLength(1);
  });
});

function idsAt(slot: number): string[] {
  return world.titlesAt(slot).map(({ titleId }) => titleId);
}
