import { basename } from 'node:path';
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';

/** Rows that were written since, by the file's name and the table: `catalog.sqlite entry`. */
export interface CountedWrites {
  readonly rows: ReadonlyMap<string, number>;
  reset(): void;
  /** Nothing is counted of databases that are opened from now on. */
  [Symbol.dispose](): void;
}

type Prepare = (this: DatabaseSync, sql: string) => StatementSync;

const TABLE = /^\s*(?:INSERT(?: OR \w+)? INTO|UPDATE|DELETE FROM)\s+(\w+)/;

/** Counts the rows that statements write which are prepared from now on, in the files of this process. */
export function countWrites(): CountedWrites {
  const rows = new Map<string, number>();
  const prepare: Prepare = Reflect.get(DatabaseSync.prototype, 'prepare');
  DatabaseSync.prototype.prepare = function prepareCounted(this: DatabaseSync, sql: string): StatementSync {
    const statement = prepare.call(this, sql);
    const table = TABLE.exec(sql)?.[1];
    const file = this.location();
    if (table === undefined || file === null) return statement;
    const key = `${basename(file)} ${table}`;
    const run = statement.run.bind(statement) as (...values: SQLInputValue[]) => ReturnType<StatementSync['run']>;
    const counted = (...values: SQLInputValue[]) => {
      const result = run(...values);
      rows.set(key, (rows.get(key) ?? 0) + Number(result.changes));
      return result;
    };
    return Object.assign(statement, { run: counted });
  };
  return {
    rows,
    reset: () => {
      rows.clear();
    },
    [Symbol.dispose]: () => {
      DatabaseSync.prototype.prepare = prepare;
    },
  };
}
