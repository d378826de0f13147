import { GAME_NAME_MAX } from '@lobbystats/contracts';

export function gameName(text: string): string {
  return text.length > GAME_NAME_MAX ? text.slice(0, GAME_NAME_MAX).toWellFormed() : text;
}
