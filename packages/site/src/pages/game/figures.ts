import { operations } from '@lobbystats/contracts';
import { html, type Html } from '../../html.ts';
import type { PageData } from '../../page.ts';
import { figures, part } from '../../parts/part.ts';
import { formatCount, plural, time } from '../../parts/text.ts';

const { getGameRecords, getLatestActivity, getMatchStats, getTitleOnlineHistory } = operations;

/** Operations that {@link gameFigures} asks. */
export const gameFiguresOperations = [getGameRecords, getLatestActivity, getMatchStats, getTitleOnlineHistory] as const;

/** Counts of the newest slot, of the last 24 hours, and of all time. */
export async function gameFigures(titleId: string, data: PageData): Promise<Html> {
  const params = { titleId };
  const [activity, day, stats, records] = await Promise.all([
    data.askPart(getLatestActivity, {}, params),
    data.askPart(getTitleOnlineHistory, params, { hours: 24 }),
    data.askPart(getMatchStats, params),
    data.askPart(getGameRecords, params),
  ]);
  return part(activity, ({ slot, titles }) => {
    const now = titles.find((one) => one.titleId === titleId);
    // A title without activity has no users online.
    const shown = (count: number | undefined) => (slot === null ? '–' : formatCount(count ?? 0));
    const peak = day?.history.reduce((most, { online_count }) => Math.max(most, online_count), 0);
    return html`${figures([
      {
        name: 'Online now',
        href: '#online',
        value: shown(now?.online),
        aside: peak === undefined ? undefined : `peak of 24 hours: ${formatCount(peak)}`,
      },
      {
        name: 'Open lobbies',
        href: '#lobbies',
        value: shown(now?.activeLobbies),
        aside: stats && `24 hours: ${plural(stats.totalMatches, 'match', 'matches')}`,
      },
      {
        name: 'Players in lobbies',
        href: '#lobbies',
        value: shown(now?.activeLobbyPlayers),
        aside: stats && `peak of 24 hours: ${formatCount(stats.peakPlayers)}`,
      },
      { name: 'Most players ever', href: '#plots', ...record(records?.online) },
      { name: 'Most lobbies ever', href: '#plots', ...record(records?.lobbies) },
    ])}
    ${slot !== null && html`<p class="hint as-of">As of ${time(slot, 'exact')}</p>`}`;
  });
}

type Record = { readonly count: number; readonly at: string } | null | undefined;

function record(known: Record): { value: string; aside?: Html } {
  if (known === null || known === undefined) return { value: '–' };
  return { value: formatCount(known.count), aside: time(known.at) };
}
