import { gameMetadata, operations } from '@lobbystats/contracts';
import { readAnswer, type Owners } from './owners.ts';
import type { TitleList } from './title-directory.ts';

/**
 * All titles of catalog-api, validated because they are stored; unknown fields are dropped.
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
