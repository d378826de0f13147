import { gameMetadata, operations } from '@lobbystats/contracts';
import { readAnswer, type Owners } from './owners.ts';
import type { TitleList } from './title-directory.ts';

/**
 * Every title as catalog-api has it now. Each is checked, because they are kept; fields of a newer release are left out.
 *
 * @throws AppError `unavailable` when they can't be had
 */
export async function loadTitles(owners: Owners): Promise<TitleList> {
  const title = gameMetadata.strip();
  const answer = await owners.ask(operations.listTitles, {}, {});
  return readAnswer(operations.listTitles, answer, ({ revision, titles }) => ({
    revision: operations.listTitles.answer.shape.revision.parse(revision),
    titles: titles.map((one) => title.parse(one)),
  }));
}
