import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryDirectory } from '@lobbystats/test-kit';
import { asyncBufferFromFile, parquetMetadataAsync, parquetReadObjects } from 'hyparquet';
import { writeParquet, type Column, type Row } from '../../src/export/parquet-file.ts';

const COLUMNS: readonly Column[] = [
  { name: 'title_id', type: 'STRING' },
  { name: 'at', type: 'TIMESTAMP' },
  { name: 'time_ms', type: 'INT32', nullable: true },
];
/** IDs that a CSV reader takes for numbers. */
const rowOf = (index: number): Row => ({
  title_id: ['4156000e', '4e530064', '00000001'][index % 3]!,
  at: new Date(1_769_800_000_000 + index * 1000),
  time_ms: index % 2 === 0 ? null : index,
});

async function* rows(count: number, fault?: Error): AsyncGenerator<Row, void, undefined> {
  for (let index = 0; index < count; index += 1) yield rowOf(index);
  if (fault !== undefined) throw fault;
}

describe('Parquet file', () => {
  it('has the types and values of its rows, in groups that bound the memory', async () => {
    const path = join(temporaryDirectory(), 'new', 'rows.parquet');
    expect(await writeParquet(path, COLUMNS, rows(45_000))).toBe(45_000);
    const file = await asyncBufferFromFile(path);
    const metadata = await parquetMetadataAsync(file);
    expect(metadata.row_groups.map(({ num_rows }) => Number(num_rows))).toEqual([20_000, 20_000, 5000]);
    expect(await parquetReadObjects({ file })).toEqual(Array.from({ length: 45_000 }, (_, index) => rowOf(index)));
  });

  it('is readable without rows', async () => {
    const path = join(temporaryDirectory(), 'rows.parquet');
    expect(await writeParquet(path, COLUMNS, rows(0))).toBe(0);
    expect(await parquetReadObjects({ file: await asyncBufferFromFile(path) })).toEqual([]);
  });

  it('does not exist, and replaces no file, when its source fails', async () => {
    const directory = temporaryDirectory();
    const [path, other] = [join(directory, 'rows.parquet'), join(directory, 'other.parquet')];
    await writeParquet(path, COLUMNS, rows(3));
    const fault = new Error('the source ended');
    for (const target of [path, other])
      await expect(writeParquet(target, COLUMNS, rows(30_000, fault))).rejects.toBe(fault);
    expect(existsSync(other)).toBe(false);
    expect(readdirSync(directory)).toEqual(['rows.parquet']);
    expect(await parquetReadObjects({ file: await asyncBufferFromFile(path) })).toHaveLength(3);
  });
});
