import type { operations, Reply } from '@lobbystats/contracts';
import type { CatalogReader } from './catalog-reader.ts';

/** Returns the records among some changes. */
export async function listRecords(
  { boards }: CatalogReader,
  ids: readonly number[],
): Promise<Reply<typeof operations.listRecords>> {
  const body = (await boards.changesById(ids)).flatMap(({ id, beaten }) => {
    if (beaten === null) return [];
    const { name: playerName, rating, timeMs } = beaten;
    return [{ id, beaten: { playerName, rating, timeMs } }];
  });
  return { body };
}
