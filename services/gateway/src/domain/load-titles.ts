import { gameMetadata, operations, type GameMetadata } from '@lobbystats/contracts';
import { readAnswer, type Owners } from './owners.ts';

/**
 * Every title as catalog-api has it now. Each is checked, because they are kept; fields of a newer release are left out.
 *
 * @throws AppError `unavailable` when they can't be had
 */
export async function loadTitles(owners: Owners): Promise<GameMetadata[]> {
  const title = gameMetadata.strip();
  const answer = await owners.ask(operations.listTitles, {}, {});
  return readAnswer(operations.listTitles, answer, ({ titles }) => titles.map((one) => title.parse(one)));
}
