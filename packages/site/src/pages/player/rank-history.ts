import {
  DAY_SECONDS,
  formatRaceTime,
  operations,
  parseInstant,
  plainText,
  slotOf,
  type EpochSeconds,
  type OperationResponse,
} from '@lobbystats/contracts';
import { html, type Html } from '../../html.ts';
import { apiPath } from '../../links.ts';
import type { PageData } from '../../page.ts';
import { choices } from '../../parts/choices.ts';
import { empty, part, section } from '../../parts/part.ts';
import { plot } from '../../parts/plot.ts';
import { boardLink, time } from '../../parts/text.ts';
import type { FoundPlayer, Score } from '../../parts/find-player.ts';
import type { PlayerQuery, PlayerUrl } from './player-url.ts';

const { getRankHistory } = operations;

export const rankHistoryOperations = [getRankHistory] as const;

type History = OperationResponse<typeof getRankHistory>;

/** Offered periods; the URL takes any number of days. */
const PERIODS = [7, 30, 90, 365];

/** Names a leaderboard in a URL: `4d530064:17`. */
export function historyKey({ titleId, leaderboardId }: Pick<Score, 'titleId' | 'leaderboardId'>): string {
  return `${titleId}:${leaderboardId}`;
}

/** Rank over time on the chosen leaderboard, else on that of the best rank. Nothing without a leaderboard. */
export async function rankHistorySection(
  { playerName, scores }: Pick<FoundPlayer, 'playerName' | 'scores'>,
  { history, days }: PlayerQuery,
  data: PageData,
  urlOf: PlayerUrl,
): Promise<Html | ''> {
  const [best] = scores ?? [];
  const chosen = history ?? (best && historyKey(best));
  if (chosen === undefined) return '';
  const [titleId = '', leaderboardId = ''] = chosen.split(':');
  const query = { titleId, leaderboardId, days };
  const response = await data.find(getRankHistory, { player: playerName }, query);
  return section(
    'history',
    'Rank history',
    html`${boardForm(scores ?? [], chosen, days, urlOf)}
    ${choices(
      'Period of the rank history',
      PERIODS.map((period) => ({
        text: `${period} days`,
        href: urlOf({ history: chosen, days: period }, 'history'),
        isCurrent: period === days,
      })),
    )}
    ${
      response === null
        ? empty('No rank on this leaderboard in these days')
        : part(response, (found) =>
            rankPlot(found, apiPath(getRankHistory.path, { player: playerName }, query), data.now),
          )
    }`,
    response
      ? boardLink(data.titles, {
          titleId,
          leaderboardId: Number(leaderboardId),
          leaderboardName: response.leaderboardName,
        })
      : undefined,
  );
}

function boardForm(scores: readonly Score[], chosen: string, days: number, urlOf: PlayerUrl): Html | '' {
  if (scores.length < 2) return '';
  const [action] = urlOf({}).split('?');
  return html`<form class="filters" action="${action}#history">
    <label>
      Leaderboard
      <select name="history">
        ${scores.map((score) => {
          const key = historyKey(score);
          return html`<option value="${key}" ${key === chosen && html` selected`}>
            ${plainText`${score.gameName} · ${score.leaderboardName}`}
          </option>`;
        })}
      </select>
    </label>
    <input type="hidden" name="tab" value="leaderboards" />
    <input type="hidden" name="days" value="${days}" />
    <button>Show</button>
  </form>`;
}

function rankPlot({ points: all, leaderboardName, isTime, days }: History, path: string, now: EpochSeconds): Html {
  const points = all.filter(({ recorded_at }, index) => recorded_at !== all[index + 1]?.recorded_at);
  if (points.length === 0) return empty('No rank on this leaderboard in these days');
  const last = points.at(-1);
  const begins = points.map(({ recorded_at }) => parseInstant(recorded_at));
  // Whole slots: every gateway renders the same bytes.
  const until = Math.max(slotOf(now), ...begins.slice(-1));
  const rating =
    isTime && last?.timeMs !== null && last?.timeMs !== undefined
      ? formatRaceTime(last.timeMs)
      : (last?.rating ?? null);
  return html`${plot({
    id: 'rank-plot',
    caption: plainText`Rank on ${leaderboardName}`,
    csv: `${path}&format=csv`,
    data: {
      kind: 'steps',
      y: 'rank',
      // Points are changes: a rank holds until the next one.
      cells: { unit: 'change', from: Math.min(until - days * DAY_SECONDS, ...begins.slice(0, 1)), until, begins },
      series: [{ label: 'Rank', values: points.map(({ rank }) => rank) }],
    },
  })}
  ${
    last &&
    html`<p class="hint">
      ${last.rank === null ? 'Not on the board' : `Rank ${last.rank}`}${rating !== null && ` with ${rating}`} at
      ${time(last.recorded_at, 'exact')}
    </p>`
  }`;
}
