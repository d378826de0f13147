import type { ObservedMatch } from '@lobbystats/contracts';
import type { SqliteStore } from '@lobbystats/service-kit/sqlite';
import type { SlotHome, SlotObservation } from '../network/slot-observation.ts';
import type { SlotState, SlotStore, UnsettledSlot } from './slot-store.ts';

export function createSqliteSlotStore(store: SqliteStore): SlotStore {
  const isOpen = (slot: number) => stateOf(slot) === 'open';
  const stateOf = (slot: number) =>
    store.get<{ state: SlotState }>('SELECT state FROM slot WHERE slot = ?', slot)?.state;
  const isAnyAwaited = (slot: number) =>
    store.get('SELECT 1 FROM slot_title WHERE slot = ? AND matches IS NULL LIMIT 1', slot) !== undefined;

  return {
    async open(slot, deadlineMs) {
      const sql = `INSERT INTO slot (slot, state, deadline_ms) VALUES (?, 'open', ?) ON CONFLICT DO NOTHING`;
      return store.run(sql, slot, Math.floor(deadlineMs)) === 1;
    },

    async putHome(slot, home, awaited) {
      return store.transaction(() => {
        const sql = `UPDATE slot SET home = ? WHERE slot = ? AND state = 'open' AND home IS NULL`;
        if (store.run(sql, JSON.stringify(home), slot) === 0) return false;
        for (const titleId of new Set(awaited)) {
          store.run('INSERT INTO slot_title (slot, title_id) VALUES (?, ?)', slot, titleId);
        }
        return true;
      });
    },

    async awaitedTitles(slot) {
      if (!isOpen(slot)) return [];
      const sql = 'SELECT title_id FROM slot_title WHERE slot = ? AND matches IS NULL';
      return store.all<{ title_id: string }>(sql, slot).map(({ title_id }) => title_id);
    },

    async titleDeadlineMs(slot, titleId) {
      const sql = `SELECT deadline_ms FROM slot JOIN slot_title USING (slot)
                   WHERE slot = ? AND state = 'open' AND title_id = ? AND matches IS NULL`;
      return store.get<{ deadline_ms: number }>(sql, slot, titleId)?.deadline_ms;
    },

    async putMatches(slot, titleId, matches) {
      return store.transaction(() => {
        const sql = `UPDATE slot_title SET matches = ?1 WHERE slot = ?2 AND title_id = ?3 AND matches IS NULL
                     AND EXISTS (SELECT 1 FROM slot WHERE slot = ?2 AND state = 'open')`;
        if (store.run(sql, JSON.stringify(matches), slot, titleId) === 0) return undefined;
        return isAnyAwaited(slot) ? 'more' : 'last';
      });
    },

    async content(slot) {
      return store.transaction(() => {
        const sql = `SELECT home FROM slot WHERE slot = ? AND state = 'open' AND home IS NOT NULL`;
        const row = store.get<{ home: string }>(sql, slot);
        if (row === undefined) return undefined;
        const titlesSql = 'SELECT title_id, matches FROM slot_title WHERE slot = ? AND matches IS NOT NULL';
        const titles = store.all<{ title_id: string; matches: string }>(titlesSql, slot);
        const matches = new Map(titles.map((title) => [title.title_id, JSON.parse(title.matches) as ObservedMatch[]]));
        return { home: JSON.parse(row.home) as SlotHome, matches };
      });
    },

    async finish(slot, observation) {
      const sql = `UPDATE slot SET state = 'finished', observation = ? WHERE slot = ? AND state = 'open'`;
      return store.run(sql, JSON.stringify(observation), slot) === 1;
    },

    async finishedObservation(slot) {
      const sql = `SELECT observation FROM slot WHERE slot = ? AND state = 'finished'`;
      const row = store.get<{ observation: string }>(sql, slot);
      return row === undefined ? undefined : (JSON.parse(row.observation) as SlotObservation);
    },

    async markPublished(slot) {
      store.transaction(() => {
        const sql = `UPDATE slot SET state = 'published', home = NULL, observation = NULL
                     WHERE slot = ? AND state = 'finished'`;
        if (store.run(sql, slot) === 1) store.run('DELETE FROM slot_title WHERE slot = ?', slot);
      });
    },

    async markMissed(slot) {
      return (
        store.run(`UPDATE slot SET state = 'missed' WHERE slot = ? AND state = 'open' AND home IS NULL`, slot) === 1
      );
    },

    state: async (slot) => stateOf(slot),

    async unsettled() {
      const sql = `SELECT slot, state, deadline_ms AS deadlineMs FROM slot
                   WHERE state IN ('open', 'finished') ORDER BY slot`;
      return store.all<UnsettledSlot>(sql);
    },

    async latestFinished() {
      const sql = `SELECT max(slot) AS latest FROM slot WHERE state IN ('finished', 'published')`;
      return store.get<{ latest: number | null }>(sql)?.latest ?? undefined;
    },

    async deleteBefore(beforeExclusive) {
      store.run(`DELETE FROM slot WHERE slot < ? AND state IN ('published', 'missed')`, beforeExclusive);
    },
  };
}
