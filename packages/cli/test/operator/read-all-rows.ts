import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync, type SQLOutputValue } from 'node:sqlite';

type Rows = Record<string, SQLOutputValue>[];

/** Every row of every table of the stores in a directory, by file and table. */
export function readAllRows(directory: string): Record<string, Record<string, Rows>> {
  const files = readdirSync(directory).filter((file) => file.endsWith('.sqlite'));
  return Object.fromEntries(
    files.map((file) => {
      const db = new DatabaseSync(join(directory, file), { timeout: 5000 });
      const tables = db.prepare("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name").all();
      const rows = tables.map(({ name }): [string, Rows] => [
        String(name),
        db
          .prepare(`SELECT * FROM "${String(name)}"`)
          .all()
          .map((row) => ({ ...row })),
      ]);
      db.close();
      return [file, Object.fromEntries(rows)];
    }),
  );
}
