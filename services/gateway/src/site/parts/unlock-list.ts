import type { RecentUnlock } from '@lobbystats/contracts';
import { html, type Html } from '../html.ts';
import { list } from './list.ts';
import { name, playerLink, plural, time } from './text.ts';

/** A list of unlocks, each with its user and time. @param empty shown in place of an empty list */
export function unlockList(recent: readonly RecentUnlock[], empty: string): Html {
  return list({
    id: 'unlock',
    rows: recent,
    key: ({ username, achievementId }) => `${username} ${achievementId}`,
    empty,
    item: ({ username, achievementName, points, unlockedAt }) =>
      html`${playerLink(username)} · ${name(achievementName)}
        ${points > 0 ? html`<span class="tag">${plural(points, 'point')}</span>` : ''}
        <p class="hint">${time(unlockedAt)}</p>`,
  });
}
