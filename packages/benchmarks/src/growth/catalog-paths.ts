import { operations } from '@lobbystats/contracts';
import type { World } from '@lobbystats/simulator';
import type { Samples } from '../seed-boards.ts';

const NAMES = 20;
const ROUNDS = Array.from({ length: 50 }, (_, index) => index);

/** Requests that find something. */
export function pathsOf(world: World, pass: number, { times, players }: Samples): Record<string, string[]> {
  const keys = world.boardKeysAt(pass);
  const boards = Array.from({ length: 50 }, (_, index) => keys[(index * 997) % keys.length]).filter(
    (key) => key !== undefined,
  );
  const names = namesOf(players);
  const ofBoard = (path: string) =>
    boards.map(({ titleId, id }) => path.replace(':titleId', titleId).replace(':leaderboardId', String(id)));
  const nameAt = (index: number) => encodeURIComponent(names(index));
  return {
    'a leaderboard page': ofBoard(`${operations.getLeaderboard.path}?limit=100`),
    'the leaderboards of a title': ofBoard(operations.listLeaderboards.path),
    'a search by time': ROUNDS.map(
      (index) => `${operations.searchByTime.path}?time=${timeOf(times[(index * 7) % times.length] ?? 0)}&tolerance=500`,
    ),
    [`a search of ${NAMES} players`]: ROUNDS.map(
      (index) =>
        `${operations.searchByPlayers.path}?names=${Array.from({ length: NAMES }, (_, at) => nameAt(index + at))
          .filter((name) => !name.includes('%2C'))
          .join(',')}`,
    ),
    'every leaderboard of a player': ROUNDS.map((index) =>
      operations.searchOnePlayer.path.replace(':player', nameAt(index)),
    ),
    'the newest changes': [`${operations.listChanges.path}?limit=50`],
  };
}

export const searchesOfGames = ROUNDS.map(
  (index) => `${operations.listGames.path}?q=${'aeioustrnl'[index % 10] ?? 'a'}`,
);

export function suggestionPaths({ players }: Samples): Record<string, string[]> {
  const names = namesOf(players);
  const paths = (characters: number) =>
    ROUNDS.map((index) => `${operations.findNames.path}?q=${encodeURIComponent(names(index).slice(0, characters))}`);
  return { 'suggestions for 1 character': paths(1), 'suggestions for 4 characters': paths(4) };
}

function namesOf(players: Samples['players']): (index: number) => string {
  return (index) => players[(index * 31) % players.length]?.playerName ?? '';
}

function timeOf(ms: number): string {
  const minutes = Math.floor(ms / 60_000);
  return `${minutes}:${((ms % 60_000) / 1000).toFixed(3).padStart(6, '0')}`;
}
