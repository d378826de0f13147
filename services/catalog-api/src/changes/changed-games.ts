import { compareCodePoints, type operations, type Reply } from '@lobbystats/contracts';
import type { CatalogReader } from '../leaderboards/catalog-reader.ts';

export async function listChangedGames({
  titles,
  boards,
}: CatalogReader): Promise<Reply<typeof operations.listChangedGames>> {
  const view = await titles.view();
  const [titleIds, log] = await Promise.all([boards.changedTitles(), boards.changeLog()]);
  const names = titleIds.map((titleId) => view.get(titleId)?.title.name).filter((name) => name !== undefined);
  return {
    body: names.sort(compareCodePoints),
    ...(names.length > 0 && { lastModified: log.lastChangedAt }),
  };
}
