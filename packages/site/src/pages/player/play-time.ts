import { operations, type OperationResponse } from '@lobbystats/contracts';
import { playTimeText } from '../../dates.ts';
import { html, type Html } from '../../html.ts';
import type { PageData } from '../../page.ts';
import { empty, part, section } from '../../parts/part.ts';
import { table, type Table } from '../../parts/table.ts';
import { gameLink, plural, time } from '../../parts/text.ts';

const { getUserGames } = operations;

export const playTimeOperations = [getUserGames] as const;

type PlayedGame = OperationResponse<typeof getUserGames>['games'][number];

/** Shown at once; more are in a disclosure. */
const SHOWN = 12;

/** Play time by game: bars and their table. */
export async function playTimeSection(username: string, data: PageData): Promise<Html> {
  const response = await data.find(getUserGames, { username });
  const total = response?.games.reduce((sum, { totalMinutes }) => sum + totalMinutes, 0) ?? 0;
  return section(
    'play-time',
    'Play time by game',
    part(response ?? undefined, ({ games, hasPlayTimeTracking }) =>
      hasPlayTimeTracking ? bars(games, data) : empty('The network has not reported this user yet'),
    ),
    total > 0 ? `${playTimeText(total)} in ${plural(response?.games.length ?? 0, 'game')}` : undefined,
  );
}

function bars(games: readonly PlayedGame[], data: PageData): Html {
  const most = games[0]?.totalMinutes ?? 0;
  const columns: Table<PlayedGame>['columns'] = [
    { heading: 'Game', isHead: true, cell: ({ titleId }) => gameLink(data.titles, titleId) },
    { heading: 'Share', cell: ({ totalMinutes }) => bar(most === 0 ? 0 : totalMinutes / most) },
    { heading: 'Time', isNumber: true, cell: ({ totalMinutes }) => playTimeText(totalMinutes) },
    { heading: 'Last played', isMinor: true, cell: ({ lastPlayedAt }) => time(lastPlayedAt) },
  ];
  const rest = games.slice(SHOWN);
  const records = { columns, key: ({ titleId }: PlayedGame) => titleId };
  return html`${table({ ...records, id: 'game', caption: 'Play time by game', rows: games.slice(0, SHOWN), empty: 'No play time yet' })}
  ${
    rest.length > 0 &&
    html`<details id="less-played">
      <summary>${plural(rest.length, 'more game')}</summary>
      ${table({ ...records, id: 'less-played-game', caption: 'Play time by game, continued', rows: rest, empty: '' })}
    </details>`
  }`;
}

/** A bar in a cell of a table; its number stands beside it. @param share 0 to 1 */
function bar(share: number): Html {
  const width = Math.max(0.5, Math.min(1, share) * 100).toFixed(1);
  return html`<svg class="bar" viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
    <rect width="${width}" height="10" />
  </svg>`;
}
