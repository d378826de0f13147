import type { RecentUnlock } from '@lobbystats/contracts';
import { html, type Html } from '../html.ts';
import { list } from './list.ts';
import { achievementLink, formatCount, playerLink, plural, time } from './text.ts';

/** A list of unlocks, each with its user and time. @param empty shown in place of an empty list */
export function unlockList(recent: readonly RecentUnlock[], empty: string): Html {
  return list({
    id: 'unlock',
    rows: recent,
    key: ({ username, achievementId }) => `${username} ${achievementId}`,
    empty,
    item: ({ username, achievementId, achievementName, points, unlockedAt }) =>
      html`${playerLink(username)} · ${achievementLink(achievementId, achievementName)}
        ${points > 0 ? html`<span class="tag">${plural(points, 'point')}</span>` : ''}
        <p class="hint">${time(unlockedAt)}</p>`,
  });
}

/** Achievements of a player that are named. */
const NAMED = 3;

/** Recent unlocks, newest first: those of one player in one minute are one item. @param most items shown */
export function unlockerList(recent: readonly RecentUnlock[], most: number, empty: string): Html {
  const together = Map.groupBy(recent, ({ username, unlockedAt }) => `${username} ${unlockedAt.slice(0, 16)}`);
  return list({
    id: 'unlocker',
    rows: [...together].slice(0, most),
    key: ([key]) => key,
    empty,
    item: ([, unlocks]) => {
      const [{ username, unlockedAt }] = unlocks as [RecentUnlock];
      const points = unlocks.reduce((sum, unlock) => sum + unlock.points, 0);
      const named = unlocks.slice(0, NAMED);
      const more = unlocks.length - named.length;
      return html`${playerLink(username)} ·
        ${named.map(({ achievementId, achievementName }, index) => html`${index > 0 && ', '}${achievementLink(achievementId, achievementName)}`)}${more > 0 && ` and ${formatCount(more)} more`}
        <span class="tag">${plural(points, 'point')}</span>
        <p class="hint">${time(unlockedAt)}</p>`;
    },
  });
}
