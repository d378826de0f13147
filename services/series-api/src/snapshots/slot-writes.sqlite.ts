import { setImmediate } from 'node:timers/promises';
import { nameKey } from '@lobbystats/contracts';
import type { SqliteStore } from '@lobbystats/service-kit/sqlite';
import type { RunChanges } from '../matches/match-runs.ts';
import { dayOf } from './periods.ts';
import type { SeriesStore, SlotBatch } from '../database/series-store.ts';
import type { SlotSnapshot, TitleSnapshot } from './snapshots.ts';
import { titleColumns, titleFields } from './title-counts.ts';
import { putRegistered } from '../days/dailies.sqlite.ts';
import { titleKey } from '../titles/titles.sqlite.ts';

export function slotWrites(store: SqliteStore) {
  return {
    commit: async (batch) => {
      store.transaction(() => {
        const hosts = putHosts(store, batch);
        putTitles(store, batch.slots);
        putMatches(store, batch.slots, hosts);
        changeRuns(store, batch.runs, hosts);
        putSites(store, batch.slots);
      });
      // Requests run between commits.
      await setImmediate();
    },
    // Readable data is committed.
    confirm: async () => Promise.resolve(),
  } satisfies Partial<SeriesStore>;
}

type HostIds = ReadonlyMap<string, number>;

/** Upserts hosts with their last sighting. */
function putHosts(store: SqliteStore, { slots, runs }: SlotBatch): HostIds {
  const seenAt = new Map<string, number>();
  const see = (host: string, at: number): void => {
    if (at > (seenAt.get(host) ?? -Infinity)) seenAt.set(host, at);
  };
  for (const { matches } of slots) for (const { host, slot } of matches) see(host, slot);
  for (const run of runs.put) see(run.host, run.endedAt);

  const put = store.prepare(
    `INSERT INTO host (name, seen_at, player_key) VALUES (?, ?, ?)
      ON CONFLICT DO UPDATE SET seen_at = max(seen_at, excluded.seen_at) RETURNING id`,
  );
  const ids = new Map<string, number>();
  for (const [host, at] of seenAt) ids.set(host, Number(put.get(host, at, nameKey(host))?.['id']));
  return ids;
}

function putTitles(store: SqliteStore, slots: readonly SlotSnapshot[]): void {
  const rows = new Map<string, [slot: number, snapshot: TitleSnapshot][]>();
  for (const { site, titles } of slots) {
    for (const title of titles) {
      const own = rows.get(title.titleId);
      if (own === undefined) rows.set(title.titleId, [[site.slot, title]]);
      else own.push([site.slot, title]);
    }
  }
  const putTitle = store.prepare('INSERT OR IGNORE INTO title (id) VALUES (?)');
  const putSnapshot = store.prepare(
    `INSERT OR IGNORE INTO title_snapshot (title_id, slot, ${titleColumns.join(', ')})
      VALUES (?, ?, ${titleColumns.map(() => '?').join(', ')})`,
  );
  for (const [titleId, snapshots] of rows) {
    const key = titleKey(titleId);
    putTitle.run(key);
    for (const [slot, snapshot] of snapshots) {
      putSnapshot.run(key, slot, ...titleFields.map((name) => snapshot[name]));
    }
  }
}

function putMatches(store: SqliteStore, slots: readonly SlotSnapshot[], hosts: HostIds): void {
  const put = store.prepare(
    `INSERT OR IGNORE INTO match_snapshot (slot, title_id, host_id, players, max_players) VALUES (?, ?, ?, ?, ?)`,
  );
  for (const { matches } of slots) {
    for (const { slot, titleId, host, players, maxPlayers } of matches) {
      put.run(slot, titleKey(titleId), hosts.get(host) ?? null, players, maxPlayers);
    }
  }
}

function changeRuns(store: SqliteStore, { remove, put }: RunChanges, hosts: HostIds): void {
  const removal = store.prepare(
    `DELETE FROM match_run
      WHERE title_id = ? AND ended_at = ? AND host_id = (SELECT id FROM host WHERE name = ?)`,
  );
  for (const { titleId, endedAt, host } of remove) removal.run(titleKey(titleId), endedAt, host);

  const putting = store.prepare(
    `INSERT OR REPLACE INTO match_run (title_id, ended_at, host_id, started_at, players, max_players, peak_players)
      VALUES (?, ?, ?, ?, ?, ?, ?)`,
  );
  for (const { titleId, endedAt, host, startedAt, players, maxPlayers, peakPlayers } of put) {
    putting.run(titleKey(titleId), endedAt, hosts.get(host) ?? null, startedAt, players, maxPlayers, peakPlayers);
  }
}

function putSites(store: SqliteStore, slots: readonly SlotSnapshot[]): void {
  const put = store.prepare(
    'INSERT OR IGNORE INTO site_snapshot (slot, online, registered, lobbies, missing) VALUES (?, ?, ?, ?, ?)',
  );
  for (const { site } of slots) {
    const { slot, online, registered, lobbies, missing } = site;
    if (registered !== null) putRegistered(store, { day: dayOf(slot), registered, seenAt: slot });
    put.run(slot, online, registered, lobbies, missing);
  }
}
