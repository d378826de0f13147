import { HISTORY_HOURS_MAX, LOBBIES_MAX, OFFSET_MAX, operations, type OperationResponse } from '@lobbystats/contracts';
import { html, type Html } from '../../html.ts';
import { links } from '../../links.ts';
import type { PageData } from '../../page.ts';
import { byRoom, hasRoom, HOW_TO_JOIN, lobbyTable, outOf } from '../../parts/lobby-table.ts';
import { pager } from '../../parts/pager.ts';
import { part, section } from '../../parts/part.ts';
import { rangeTexts, snapshotRanges, type PlotRange } from '../../parts/ranges.ts';
import { table } from '../../parts/table.ts';
import { playerLink, plural, time } from '../../parts/text.ts';

const { getLatestActivity, getMatches, getMatchHistory, listLobbies } = operations;

type Match = OperationResponse<typeof getMatchHistory>['matches'][number];

const LISTED = 9;

/** Lobbies that are open in the newest slot, those with room first. */
export async function openLobbies(titleId: string, data: PageData): Promise<Html> {
  const [found, seen] = await Promise.all([
    data.askPart(listLobbies, {}, { titleId, limit: LOBBIES_MAX }),
    data.askPart(getMatches, { titleId }),
  ]);
  const content = part(found, ({ lobbies, total }) => {
    const shown = lobbies.toSorted(byRoom).slice(0, LISTED);
    return html`${lobbyTable({ lobbies: shown, titles: data.titles, isOfOneGame: true })}
    ${shown.length > 0 && html`<p class="hint">${HOW_TO_JOIN}</p>`}
    ${total > shown.length && html`<p class="more"><a href="${links.live({ game: titleId })}">All ${plural(total, 'lobby', 'lobbies')}</a></p>`}`;
  });
  const room = found?.lobbies.filter(hasRoom).length ?? 0;
  const aside = html`${room > 0 && html`<a href="${links.live({ game: titleId, room: 'yes' })}">${room} with room</a> · `}${seen && `${plural(seen.matches.length, 'host')} in the last hour`}`;
  return section('lobbies', 'Open lobbies', content, aside);
}

export interface MatchPage {
  readonly titleId: string;
  readonly range: PlotRange;
  readonly offset: number;
  readonly href: (offset: number) => string;
}

const PAGE_SIZE = 10;

/** Matches of the page's period, as far back as they are stored. */
export async function matchHistory({ titleId, range, offset, href }: MatchPage, data: PageData): Promise<Html> {
  const hours = range === '1y' ? HISTORY_HOURS_MAX : 24 * snapshotRanges[range].days;
  const [history, activity] = await Promise.all([
    data.askPart(getMatchHistory, { titleId }, { hours, limit: PAGE_SIZE, offset }),
    data.askPart(getLatestActivity, {}, { titleId }),
  ]);
  const hosts = new Set(activity?.titles.find((one) => one.titleId === titleId)?.lobbyHostNames);
  const isOpen = ({ hostName, endedAt }: Match) => hosts.has(hostName) && endedAt === newestOf(activity);
  const period = rangeTexts[range === '1y' ? '30d' : range];
  const content = part(
    history,
    ({ matches, total }) =>
      html`${table<Match>({
        ...{ id: 'match', rows: matches, key: ({ hostName, startedAt }) => `${startedAt} ${hostName}` },
        caption: `Matches of the last ${period}, those that ended last first`,
        empty: offset === 0 ? 'No matches in this period' : 'There are no matches on this page',
        columns: [
          { heading: 'Host', isHead: true, cell: ({ hostName }) => playerLink(hostName) },
          { heading: 'Began', cell: ({ startedAt }) => time(startedAt) },
          {
            heading: 'Ended',
            isMinor: true,
            cell: (match) => (isOpen(match) ? html`<span class="tag">open</span>` : time(match.endedAt)),
          },
          {
            heading: 'Peak',
            isNumber: true,
            cell: ({ peakPlayers, maxPlayers }) => outOf({ currentPlayers: peakPlayers, maxPlayers }),
          },
        ],
      })}
      ${pager({ total, limit: PAGE_SIZE, offset, href, label: 'matches', offsetMax: OFFSET_MAX })}`,
  );
  return section('matches', 'Matches', content, history && `${plural(history.total, 'match', 'matches')} in ${period}`);
}

/** The newest slot, in the form of timestamps. */
function newestOf(activity: OperationResponse<typeof getLatestActivity> | undefined): string | undefined {
  return activity?.slot?.replace('T', ' ').replace('Z', '');
}
