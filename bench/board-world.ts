import { BOARD_PASS_SECONDS, type EpochSeconds } from '@lobbystats/contracts';
import { createSimulator, type BoardKey, type World } from '@lobbystats/simulator';
import type { BoardObservation } from '../services/catalog-api/src/domain/board-observation.ts';
import { TitleCatalog } from '../services/catalog-api/src/domain/title-catalog.ts';
import type { CatalogStore } from '../services/catalog-api/src/domain/catalog-store.ts';
import { ORIGIN } from './catalog-places.ts';
import { emptyOutbox } from './empty-outbox.ts';

export const BOARDS = 3000;
const ENTRIES = 500_000;

/** The simulated network with its usual boards and entries. */
export function boardWorld(): World {
  return createSimulator({ boards: BOARDS, entries: ENTRIES }).world;
}

/** The pass of now. */
export function presentPass(): EpochSeconds {
  return Math.floor(Date.now() / 1000 / BOARD_PASS_SECONDS) * BOARD_PASS_SECONDS;
}

/** A board as a collector tells of it in a pass. */
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

/** The titles of a world's pass, taken in: without them nothing is shown. */
export async function takeInTitles(store: CatalogStore, world: World, pass: EpochSeconds): Promise<TitleCatalog> {
  const titles = new TitleCatalog({ store: store.titles, clock: Date.now, origin: ORIGIN });
  const observed = world.titlesAt(pass).map(({ titleId, name, publisher }) => ({
    titleId,
    home: { name, image: '', publisher: publisher ?? '' },
  }));
  await titles.observe([{ seenAt: pass, titles: observed }], false);
  await emptyOutbox(store);
  return titles;
}
