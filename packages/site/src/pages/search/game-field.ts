import type { PageData } from '../../page.ts';
import { meantGame } from '../../parts/meant-game.ts';
import type { Field } from './search-form.ts';

/** Limits a search to one game. */
export function gameField(value: string | undefined): Field {
  return { name: 'game', kind: 'game', label: 'Game', hint: 'Name of the game. Empty: all games.', value };
}

/** The operation's filter; an unknown name stays, for the operation to reject. @param game the field's value */
export function titleFilterOf(game: string, { titles }: PageData): string | undefined {
  return game === '' ? undefined : (meantGame(game, titles).titleId ?? game);
}
