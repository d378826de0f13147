import { BOARD_PASS_SECONDS, type EpochSeconds } from '@lobbystats/contracts';
import { createSimulator, type BoardKey, type SimulatorOptions, type World } from '@lobbystats/simulator';
import type { BoardObservation } from '@lobbystats/catalog-api/board';
import { TitleCatalog } from '@lobbystats/catalog-api/title-catalog';
import type { CatalogStore } from '@lobbystats/catalog-api/catalog-store';
import { ORIGIN } from './catalog-fixtures.ts';
import { emptyOutbox } from './empty-outbox.ts';

export const BOARDS = 3000;
const ENTRIES = 500_000;

export function createBoardWorld(options: SimulatorOptions = { boards: BOARDS, entries: ENTRIES }): World {
  return createSimulator(options).world;
}

export function currentPass(): EpochSeconds {
  return Math.floor(Date.now() / 1000 / BOARD_PASS_SECONDS) * BOARD_PASS_SECONDS;
}

/** The observation that a collector publishes of a board in a pass. */
export function observedBoard(world: World, pass: EpochSeconds, { titleId, id }: BoardKey): BoardObservation {
  const board = world.board(pass, titleId, id);
  return {
    titleId,
    leaderboardId: id,
    name: board?.name ?? '',
    pass,
    seenAt: pass + 60,
    board: board === undefined ? null : { isTime: board.isTime, entries: board.entries },
  };
}

/** Boards of unknown titles are not shown, so titles come first. */
export async function storeTitles(store: CatalogStore, world: World, pass: EpochSeconds): Promise<TitleCatalog> {
  const titles = new TitleCatalog({ store: store.titles, clock: Date.now, origin: ORIGIN });
  const observed = world.titlesAt(pass).map(({ titleId, name, publisher }) => ({
    titleId,
    home: { name, image: '', publisher: publisher ?? '', productCode: '' },
  }));
  await titles.observe([{ seenAt: pass, titles: observed }], false);
  await emptyOutbox(store);
  return titles;
}
