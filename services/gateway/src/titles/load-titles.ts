import { gameMetadata, operations } from '@lobbystats/contracts';
import { parseResponse, type Upstreams } from '../upstreams/upstreams.ts';
import type { TitleList } from './title-directory.ts';

/**
 * Loads all titles from catalog-api, validated because they are stored; unknown fields are dropped.
 *
 * @throws AppError `unavailable` when catalog-api fails
 */
export async function loadTitles(upstreams: Upstreams): Promise<TitleList> {
  const title = gameMetadata.strip();
  const answer = await upstreams.fetch(operations.listTitles, {}, {});
  return parseResponse(operations.listTitles, answer, ({ revision, titles }) => ({
    revision: operations.listTitles.response.shape.revision.parse(revision),
    titles: titles.map((one) => title.parse(one)),
  }));
}
