import type { SqliteStore } from '@lobbystats/sqlite-store';

type ExportedDocument = readonly [collection: string, document: object];

export function* exportBackfills(sqlite: SqliteStore): Generator<ExportedDocument> {
  const free = { holder: null, leaseUntilMs: 0 };
  const slots = sqlite.get<{ daysDone: number }>(
    `SELECT from_slot AS fromSlot, to_slot AS toSlot, from_day AS fromDay, to_day AS toDay, done_from AS doneFrom,
      days_done AS daysDone FROM fill`,
  );
  if (slots !== undefined) yield ['fill', { _id: 'past', ...slots, daysDone: slots.daysDone === 1, ...free }];
  const boards = sqlite.get<{ isDone: number }>(
    'SELECT from_pass AS fromPass, to_pass AS toPass, cursor, reached, done AS isDone FROM board_fill',
  );
  if (boards !== undefined) yield ['board_fill', { _id: 'boards', ...boards, isDone: boards.isDone === 1, ...free }];
  const players = sqlite.get<{ isDone: number }>(
    'SELECT from_slot AS "from", to_slot AS "to", cursor, done AS isDone FROM player_fill',
  );
  if (players !== undefined) {
    yield ['player_fill', { _id: 'players', ...players, isDone: players.isDone === 1, ...free }];
  }
}
