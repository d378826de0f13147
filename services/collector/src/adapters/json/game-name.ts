import { GAME_NAME_MAX } from '@lobbystats/contracts';

/** The name of a game as messages have it: no longer than they carry. */
export function gameName(text: string): string {
  return text.length > GAME_NAME_MAX ? text.slice(0, GAME_NAME_MAX).toWellFormed() : text;
}
