import { openSqliteStore } from '@lobbystats/sqlite-store';
import type { CollectorStore } from '../../domain/collector-store.ts';
import { migrations } from './migrations.ts';
import { createSqliteBoardFillStore } from './sqlite-board-fill-store.ts';
import { createSqliteBoardMemory } from './sqlite-board-memory.ts';
import { createSqliteFillStore } from './sqlite-fill-store.ts';
import { createSqlitePlayerFillStore } from './sqlite-player-fill-store.ts';
import { createSqlitePageMemory } from './sqlite-page-memory.ts';
import { createSqliteSlotStore } from './sqlite-slot-store.ts';
import { createSqliteTitleMemory } from './sqlite-title-memory.ts';

/**
 * Opens the collector's store in a SQLite file. What it holds can be read off the network again, so a power cut may cost
 * the last commits; a killed process costs none.
 *
 * @param url `sqlite:PATH`
 * @throws StoreRefusedError when it belongs to another network or to newer code
 */
export function openSqliteCollectorStore(url: string, origin: string): CollectorStore {
  const store = openSqliteStore({ url, name: 'collector', origin, migrations, durability: 'normal' });
  return {
    slots: createSqliteSlotStore(store),
    pages: createSqlitePageMemory(store),
    titles: createSqliteTitleMemory(store),
    fill: createSqliteFillStore(store),
    boards: createSqliteBoardMemory(store),
    boardFill: createSqliteBoardFillStore(store),
    playerFill: createSqlitePlayerFillStore(store),
    async check() {
      store.check();
    },
    async close() {
      store.close();
    },
  };
}
