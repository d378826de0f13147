import { mkdirSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileWriter, ParquetWriter, schemaFromColumnData, type BasicType } from 'hyparquet-writer';

/** A column. TIMESTAMP is a Date in UTC. */
export interface Column {
  readonly name: string;
  readonly type: Extract<BasicType, 'STRING' | 'INT32' | 'INT64' | 'BOOLEAN' | 'TIMESTAMP'>;
  /** Default: no value is null. */
  readonly nullable?: boolean;
}

export type Row = Readonly<Record<string, string | number | bigint | boolean | Date | null>>;

/** Rows that are held in memory at once. */
const ROW_GROUP_ROWS = 20_000;

/**
 * Writes a Parquet file. It gets its name when it is complete, and replaces a file of that name.
 *
 * @returns the number of rows
 */
export async function writeParquet(
  path: string,
  columns: readonly Column[],
  rows: AsyncIterable<Row>,
): Promise<number> {
  mkdirSync(dirname(path), { recursive: true });
  const unfinished = `${path}.unfinished`;
  const columnData = (group: readonly Row[]) =>
    columns.map(({ name, type, nullable = false }) => ({ name, type, nullable, data: group.map((row) => row[name]) }));
  const writer = new ParquetWriter({
    writer: fileWriter(unfinished),
    schema: schemaFromColumnData({ columnData: columnData([]) }),
    createdBy: 'lobbystats',
  });
  try {
    let count = 0;
    let group: Row[] = [];
    const flush = async () => {
      if (group.length > 0) await writer.write({ columnData: columnData(group), rowGroupSize: ROW_GROUP_ROWS });
      count += group.length;
      group = [];
    };
    for await (const row of rows) {
      group.push(row);
      if (group.length === ROW_GROUP_ROWS) await flush();
    }
    await flush();
    await writer.finish();
    renameSync(unfinished, path);
    return count;
  } catch (error) {
    rmSync(unfinished, { force: true });
    throw error;
  }
}
