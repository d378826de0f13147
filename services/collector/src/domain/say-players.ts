import { PLAYERS_PER_MESSAGE, type EpochSeconds, type SeenPlayer } from '@lobbystats/contracts';
import type { Outlet, Tense } from './outlet.ts';

export async function sayPlayers(
  outlet: Outlet,
  { slot, seenAt, players }: { slot: EpochSeconds; seenAt: EpochSeconds; players: readonly SeenPlayer[] },
  tense: Tense,
): Promise<void> {
  for (let first = 0; first < players.length; first += PLAYERS_PER_MESSAGE) {
    await outlet.players(slot, seenAt, players.slice(first, first + PLAYERS_PER_MESSAGE), tense);
  }
}
