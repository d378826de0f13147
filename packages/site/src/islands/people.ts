import type { Friend } from '@lobbystats/service-auth';
import { linkedPlayer, links } from '../links.ts';
import { apiOf } from './api.ts';
import type { Session } from './island.ts';
import { putPeopleFirst } from './people-first.ts';

/** The reader and their friends. Only their browser knows them. */
export interface People {
  /** Names of the reader: of the account, and on leaderboards. */
  readonly own: readonly string[];
  /** Those online first. */
  readonly friends: readonly Friend[];
}

const ANONYMOUS: People = { own: [], friends: [] };

/** Empty without a session. Never rejects. */
export async function peopleOf(session: Session): Promise<People> {
  const username = session.auth.getUsername();
  if (username === null) return ANONYMOUS;
  const [gamertag, found] = await Promise.all([ownGamertag(session, username), session.auth.getFriends()]);
  if (session.auth.getUsername() !== username) return ANONYMOUS;
  const friends = found?.friends.toSorted((a, b) => Number(b.isOnline) - Number(a.isOnline)) ?? [];
  return { own: [username, ...gamertag], friends };
}

const gamertags = new Map<string, Promise<readonly string[]>>();

function ownGamertag(session: Session, username: string): Promise<readonly string[]> {
  const asked =
    gamertags.get(username) ??
    apiOf(session)
      .getMe()
      .then(({ gamertag }) => (gamertag === '' ? [] : [gamertag]))
      .catch(() => []);
  gamertags.set(username, asked);
  return asked;
}

type Relation = 'own' | 'friend';

/** How the reader knows a name; undefined: not at all. */
export function relationOf({ own, friends }: People, name: string): Relation | undefined {
  const key = keyOf(name);
  if (own.some((each) => keyOf(each) === key)) return 'own';
  return friends.some(({ gamertag }) => keyOf(gamertag) === key) ? 'friend' : undefined;
}

/** Equal for equal names. */
export function keyOf(name: string): string {
  return name.normalize().toLowerCase();
}

/** Marks the rows of the reader and of their friends, puts them first where no rank orders them, and offers to compare the shown player with the reader, who edits their own page. */
export function markPeople(root: ParentNode, people: People): void {
  const heads = 'main tbody th a[href^="/u/"], main .list:not(.friends) > li > a[href^="/u/"]:first-child';
  for (const link of root.querySelectorAll<HTMLAnchorElement>(heads)) {
    const row = link.closest<HTMLElement>('tr, li');
    const relation = relationOf(people, linkedPlayer(link.pathname) ?? '');
    if (row === null || row.dataset['person'] === relation) continue;
    if (relation === undefined) delete row.dataset['person'];
    else row.dataset['person'] = relation;
  }
  putPeopleFirst(root);
  offerComparison(root, people);
  const around = root.querySelector<HTMLAnchorElement>('a[data-around-me]');
  if (around === null) return;
  around.hidden = people.own.length === 0;
  around.search = new URLSearchParams({ around: people.own.at(-1) ?? '' }).toString();
}

function offerComparison(root: ParentNode, people: People): void {
  const link = root.querySelector<HTMLAnchorElement>('a[data-compare]');
  const shown = link?.dataset['compare'] ?? '';
  const own = people.own.at(-1);
  if (link === null || own === undefined) return;
  if (relationOf(people, shown) === 'own') {
    link.href = links.me({ tab: 'profile' });
    link.textContent = 'Edit your profile';
    link.parentElement?.querySelector('.follow')?.remove();
    return;
  }
  link.href = comparisonHref(own, shown);
  link.textContent = 'Compare with me';
}

export function comparisonHref(own: string, other: string): string {
  return `${links.compare()}?players=${encodeURIComponent(own)},${encodeURIComponent(other)}`;
}
