import { operations, type OperationResponse, RANKED_GAMES_MAX } from '@lobbystats/contracts';
import { html, type Html } from '../../html.ts';
import { links } from '../../links.ts';
import type { PageData } from '../../page.ts';
import { empty, part } from '../../parts/part.ts';
import { networkOutages, networkOutagesOperations } from '../../parts/outages.ts';
import { plot } from '../../parts/plot.ts';
import { withFlags } from '../../plots/plot-data.ts';
import { timePlot } from '../../plots/time-cells.ts';
import { rangeChoices, rangeTexts, snapshotCaption, snapshotPeriod, snapshotRanges } from '../../parts/ranges.ts';
import { table } from '../../parts/table.ts';
import { gameNameOf, change, formatCount, formatMean, gameLink, name, plural, type Titles } from '../../parts/text.ts';
import { comparedRanges, comparePath, type Comparison } from './comparison.ts';

const { compareGames, getNow, getRanking } = operations;

/** Operations that {@link comparedGames} asks. */
export const comparedGamesOperations = [...networkOutagesOperations, compareGames, getNow, getRanking] as const;

type Point = OperationResponse<typeof compareGames>['games'][number]['history'][number];
type Ranked = OperationResponse<typeof getRanking>['games'][number];
type Row = Partial<Ranked> & Pick<Ranked, 'titleId' | 'gameName'>;

/** Users online of all games in one plot, and their values in the ranking. */
export async function comparedGames(comparison: Comparison, data: PageData): Promise<Html> {
  const { titleIds, range } = comparison;
  if (titleIds.length === 0) return example(data);
  const { days, resolution } = snapshotRanges[range];
  const [compared, ranking, outages] = await Promise.all([
    data.find(compareGames, {}, { titleIds: titleIds.join(','), days, resolution }),
    data.askPart(getRanking, {}, { period: range, limit: RANKED_GAMES_MAX }),
    networkOutages(range, data),
  ]);
  return html`${rangeChoices(comparedRanges, range, (other) => comparePath({ ...comparison, range: other }))}
  ${part(compared ?? undefined, ({ games }) =>
    plot({
      id: 'online-plot',
      caption: snapshotCaption(`Users online, ${rangeTexts[range]}`, range),
      data: withFlags(
        timePlot<Point>(
          games.map(({ gameName, history }) => ({
            label: gameName,
            rows: history,
            at: (row) => row.recorded_at,
            value: (row) => row.online_count,
          })),
          snapshotPeriod(range, data.now),
        ),
        outages,
      ),
    }),
  )}
  ${part(ranking, ({ games, total }) => rankingTable(comparison, rowsOf(titleIds, games, data), total, data.titles))}`;
}

/** A comparison to begin with: the busiest games now. */
async function example(data: PageData): Promise<Html> {
  return part(await data.askPart(getNow), ({ busiestGames }) => {
    if (busiestGames.length === 0) return empty('Choose games to compare');
    const path = links.compare({ games: busiestGames.map(({ titleId }) => titleId).join(',') });
    return html`<p class="empty">
      Choose games to compare, or begin with <a href="${path}">the busiest ones now</a>.
    </p>`;
  });
}

function rowsOf(titleIds: readonly string[], games: readonly Ranked[], data: PageData): readonly Row[] {
  const ranked = new Map(games.map((game) => [game.titleId, game]));
  return titleIds.map((titleId) => ranked.get(titleId) ?? { titleId, gameName: gameNameOf(data.titles, titleId) });
}

function rankingTable(comparison: Comparison, rows: readonly Row[], total: number, titles: Titles): Html {
  const { titleIds, range } = comparison;
  const without = (titleId: string) =>
    comparePath({ ...comparison, titleIds: titleIds.filter((other) => other !== titleId) });
  return table<Row>({
    caption: `Ranking of ${plural(total, 'game')} over ${rangeTexts[range]}`,
    empty: '',
    ...{ id: 'game', rows, key: ({ titleId }) => titleId },
    columns: [
      { heading: 'Game', isHead: true, cell: ({ titleId, gameName }) => gameLink(titles, titleId, gameName) },
      { heading: 'Rank', isNumber: true, cell: ({ rank = null }) => formatCount(rank) },
      { heading: 'Average', isNumber: true, cell: ({ mean = null }) => formatMean(mean) },
      { heading: 'Peak', isNumber: true, isMinor: true, cell: ({ peak = null }) => formatCount(peak) },
      { heading: 'Hours', isNumber: true, isMinor: true, cell: ({ hours = null }) => formatMean(hours) },
      { heading: 'Change', isNumber: true, isMinor: true, cell: (row) => change(row.change ?? null) },
      {
        heading: 'Remove',
        cell: ({ titleId, gameName }) =>
          html`<a href="${without(titleId)}">Remove<span class="hidden"> ${name(gameName)}</span></a>`,
      },
    ],
  });
}
