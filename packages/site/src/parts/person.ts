import { drawnColor, hueOf, initialsOf } from '../drawn-picture.ts';
import { html, type Html } from '../html.ts';
import type { User } from './find-player.ts';
import { gameLink, time, type Titles } from './text.ts';

/**
 * The large avatar of a person. The initials are decoration: the name stands beside them.
 *
 * @param hue that the person has chosen; null: that of the name
 */
export function portrait(personName: string, hue: number | null, size = 72): Html {
  return html`<svg class="portrait" viewBox="0 0 48 48" width="${size}" height="${size}" aria-hidden="true">
    <circle cx="24" cy="24" r="24" fill="${drawnColor(hue ?? hueOf(personName))}" />
    <text x="24" y="31" text-anchor="middle">${initialsOf(personName)}</text>
  </svg>`;
}

/** Shows whether a player is online, and in which game. @param user as {@link FoundPlayer} has it */
export function presence(user: User | null | undefined, titles: Titles): Html | string {
  if (user === undefined) return 'Accounts are unavailable at the moment';
  if (user === null) return 'A player without an account here';
  const { lastState, current, lastOnlineAt } = user.playTime;
  if (lastState === 'online') {
    const playing = current && gameLink(titles, current.titleId, current.game);
    return html`<b class="up">Online</b>${playing && html`, playing ${playing}`}`;
  }
  return lastOnlineAt === null ? 'Never seen online' : html`Offline, last online ${time(lastOnlineAt)}`;
}

/** Not before the network or the user's own session has shown the user: the play time is not known then. */
export function isTracked({ playTime: { lastOnlineAt, totalMinutes } }: User): boolean {
  return lastOnlineAt !== null || totalMinutes > 0;
}
