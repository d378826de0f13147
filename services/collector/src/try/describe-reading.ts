import type {
  BoardPageReading,
  EventsReading,
  GamePageReading,
  HomepageReading,
  PlayersReading,
} from '../network/network.ts';
import { isActive } from '../network/network.ts';

/** One line for people about each reading. */
export const describeReading = {
  homepage: ({ online, registered, titles }: HomepageReading) =>
    `${online} online, ${registered ?? 'unknown'} registered, ${titles.length} titles, ` +
    `${titles.filter(isActive).length} played` +
    examples(titles.map(({ titleId, name, online: users }) => `${titleId} ${name} (${users})`)),
  titles: ({ matches, metadata, boards }: GamePageReading) =>
    `${matches === null ? 'no list of matches' : `${matches.length} open matches`}, ` +
    `${metadata === null ? 'no metadata' : `"${metadata.title}" of "${metadata.publisher}"`}, ` +
    (boards === null ? 'no list of leaderboards' : `${boards.length} leaderboards`) +
    examples([
      ...(matches ?? []).slice(0, 2).map(({ host, players, maxPlayers }) => `${host} ${players}/${maxPlayers}`),
      ...(boards ?? []).slice(0, 2).map(({ id, name }) => `leaderboard ${id} ${name}`),
    ]),
  leaderboards: ({ isTime, rows, hasNext }: BoardPageReading) =>
    `${rows.length} entries with ${isTime ? 'times' : 'scores'}${hasNext === false ? '' : hasNext === true ? ', more pages' : ', perhaps more pages'}` +
    examples(rows.map(({ rank, name, rating }) => `${rank} ${name} ${rating}`)),
  events: ({ events, skipped }: EventsReading) =>
    `${events.length} events${skipped === 0 ? '' : `, ${skipped} unreadable`}` +
    examples(events.map(({ id, title }) => `${id} ${title}`)),
  players: ({ players, skipped, next }: PlayersReading) =>
    `${players.length} users${skipped === 0 ? '' : `, ${skipped} unreadable`}, next ${next ?? 'unknown'}` +
    examples(players.map(({ username, titleId }) => `${username} in ${titleId ?? 'no game'}`)),
};

export function sourceLine(source: string, text: string): string {
  return `${source.padEnd(13)}${text}`;
}

function examples(all: readonly string[]): string {
  return all.length === 0 ? '' : `: ${all.slice(0, 3).join(', ')}${all.length > 3 ? ', …' : ''}`;
}
