import { links } from '../links.ts';
import { apiOf } from './api.ts';
import { find } from './form.ts';
import { linkTo } from './elements.ts';
import type { Session } from './island.ts';
import { showNotifications } from './notification-list.ts';

/** Notifications at most; the page of followed things has all. */
const LISTED = 5;

/** Shows what has happened to followed things, and the followed games as they are now, the busiest first. */
export async function showFollowedNow(element: HTMLElement, session: Session): Promise<void> {
  const section = find(element, '#followed-now');
  const api = apiOf(session);
  const [{ following }, { notifications }] = await Promise.all([
    api.listFollowing(),
    api.listNotifications({ limit: LISTED }),
  ]);
  showNotifications(section, session, notifications);
  const followed = new Set(following.filter(({ kind }) => kind === 'game').map(({ id }) => id));
  const games = followed.size === 0 ? [] : Object.values(await api.getOnlineUsers());
  find(section, 'h3').hidden = followed.size === 0;
  find(section, '#followed-games').replaceChildren(
    ...games
      .filter(({ titleId }) => followed.has(titleId))
      .sort((a, b) => b.online - a.online)
      .map(gameRow),
  );
}

function gameRow(game: { titleId: string; name: string; online: number; activeLobbies: number }): HTMLElement {
  const row = document.createElement('li');
  const lobbies = document.createElement('a');
  lobbies.href = links.live({ game: game.titleId });
  lobbies.textContent = game.activeLobbies === 1 ? '1 open lobby' : `${game.activeLobbies} open lobbies`;
  row.append(
    linkTo(links.game(game.titleId), game.name),
    ` · ${game.online} online`,
    ...(game.activeLobbies > 0 ? [' · ', lobbies] : []),
  );
  return row;
}
