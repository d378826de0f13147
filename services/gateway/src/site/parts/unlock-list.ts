import type { RecentUnlock } from '@lobbystats/contracts';
import { html, type Html } from '../html.ts';
import { empty } from './part.ts';
import { name, playerLink, plural, time } from './text.ts';

/** A list of unlocks, each with its user and time. @param whenEmpty shown in place of an empty list */
export function unlockList(recent: readonly RecentUnlock[], whenEmpty: string): Html {
  if (recent.length === 0) return empty(whenEmpty);
  return html`<ul class="list">
    ${recent.map(
      ({ username, achievementName, points, unlockedAt }) =>
        html`<li>
          ${playerLink(username)} · ${name(achievementName)} <span class="tag">${plural(points, 'point')}</span>
          <p class="hint">${time(unlockedAt)}</p>
        </li>`,
    )}
  </ul>`;
}
