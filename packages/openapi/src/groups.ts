import type { Operation } from '@lobbystats/contracts';

export interface Group {
  readonly name: string;
  readonly description: string;
  readonly paths: RegExp;
}

export const groups: readonly Group[] = [
  {
    name: 'Site',
    description: 'Counts over the whole network: registered users, users online, open lobbies.',
    paths: /^\/api\/(service-stats\/|online-users\/summary$)/,
  },
  { name: 'Online', description: 'Who plays what, now and before.', paths: /\/online-users(\/|$)/ },
  {
    name: 'Leaderboards',
    description: 'Boards as they stand and as they stood, and what has changed on them.',
    paths: /^\/api\/(changes|title\/:titleId\/(leaderboards?|changes|stats))(\/|$)/,
  },
  {
    name: 'Matches',
    description: 'Open matches, matches of the last 30 days and daily statistics.',
    paths: /\/(matches|daily-stats)(\/|$)/,
  },
  {
    name: 'Search',
    description: 'Entries of all leaderboards, searched by time, by player, by rank.',
    paths: /\/(search|datasearch)\//,
  },
  {
    name: 'Events',
    description: 'Announced events and tournaments, free and paid.',
    paths: /\/(paid-)?events(\.ics)?(\/|$)/,
  },
  {
    name: 'Achievements',
    description: 'The site’s own achievements, and who has them.',
    paths: /^\/api\/achievements/,
  },
  {
    name: 'People',
    description: 'Profiles, play time, achievements and reputation of the site’s users.',
    paths: /\/(profile|me)\//,
  },
  { name: 'Live', description: 'What happens, as it happens.', paths: /\/stream$/ },
  { name: 'About', description: 'What the API says of itself.', paths: /\/openapi\.json$/ },
  { name: 'Games', description: 'The games that are tracked.', paths: /./ },
];

export function groupOf({ path }: Pick<Operation, 'path'>): string {
  return groups.find(({ paths }) => paths.test(path))?.name ?? 'Games';
}
