import type { Friend } from '@lobbystats/service-auth';
import { linkedPlayer, links } from '../links.ts';
import type { Session } from './island.ts';
import { comparisonHref, keyOf, markPeople, peopleOf, type People } from './people.ts';
import { updateContent } from './update-page.ts';

/** The reader's friends who are online, with their game and lobby; and a filter that leaves the rows of friends. */
export async function showFriends(element: HTMLElement, session: Session): Promise<void> {
  const people = await peopleOf(session);
  if (people.own.length === 0) {
    element.replaceChildren();
    filterRows(false);
    return;
  }
  markPeople(document, people);
  const isFiltered = new URL(location.href).searchParams.has('friends');
  const parts = [
    ...(element.dataset['friends'] === 'filter' ? [] : [friendList(people)]),
    ...(element.dataset['friends'] === 'list' ? [] : [filterBox(element, isFiltered)]),
  ];
  // What is the same stays, with its focus.
  const key = JSON.stringify([people, isFiltered, lobbiesByHost(people)]);
  if (element.dataset['shown'] !== key || element.childElementCount === 0) updateContent(element, parts);
  element.dataset['shown'] = key;
  filterRows(isFiltered && element.dataset['friends'] !== 'list');
}

function friendList(people: People): HTMLElement {
  const section = document.createElement('section');
  const heading = document.createElement('h2');
  const online = people.friends.filter(({ isOnline }) => isOnline);
  heading.textContent = `Friends online (${online.length} of ${people.friends.length})`;
  section.append(heading);
  if (online.length === 0) {
    const empty = document.createElement('p');
    empty.className = 'empty';
    empty.textContent =
      people.friends.length === 0 ? 'The network knows no friends of yours' : 'None of your friends is online';
    section.append(empty);
    return section;
  }
  const list = document.createElement('ul');
  list.className = 'list friends';
  const lobbies = lobbiesByHost(people);
  list.append(...online.map((friend) => friendItem(friend, people, lobbies[friend.gamertag])));
  section.append(list);
  return section;
}

function friendItem({ gamertag, game = '', duration = '' }: Friend, people: People, lobby?: string): HTMLElement {
  const item = document.createElement('li');
  item.id = `friend-${encodeURIComponent(gamertag)}`;
  // An ID for each: with others before it, a link stays the same.
  const partOf = (kind: string, link: HTMLAnchorElement) => Object.assign(link, { id: `${item.id}-${kind}` });
  item.append(linkTo(links.player(gamertag), gamertag));
  if (game !== '') item.append(' plays ', partOf('game', linkTo(links.game(game), game)));
  if (duration !== '') item.append(hint(` for ${duration}`));
  if (lobby !== undefined) item.append(' · ', partOf('lobby', linkTo(`#${lobby}`, 'open lobby')));
  const comparison = linkTo(comparisonHref(people.own.at(-1) ?? '', gamertag), 'compare');
  item.append(' · ', partOf('comparison', comparison));
  return item;
}

/** IDs of the page's rows of lobbies, by the friend who hosts. */
function lobbiesByHost(people: People): Readonly<Record<string, string>> {
  const hosts = [...document.querySelectorAll<HTMLAnchorElement>('#lobbies tbody th a')].map(
    (link) => [keyOf(linkedPlayer(link.pathname) ?? ''), link.closest('tr')?.id ?? ''] as const,
  );
  return Object.fromEntries(
    people.friends.flatMap(({ gamertag }) => {
      const [, id] = hosts.find(([host]) => host === keyOf(gamertag)) ?? [];
      return id === undefined ? [] : [[gamertag, id]];
    }),
  );
}

function filterBox(element: HTMLElement, isFiltered: boolean): HTMLElement {
  const label = document.createElement('label');
  const box = document.createElement('input');
  box.type = 'checkbox';
  box.checked = isFiltered;
  label.className = 'check';
  label.append(box, ' Only friends and me');
  box.addEventListener('change', () => {
    const url = new URL(location.href);
    if (box.checked) url.searchParams.set('friends', 'only');
    else url.searchParams.delete('friends');
    history.replaceState(history.state, '', url);
    delete element.dataset['shown'];
    filterRows(box.checked);
  });
  return label;
}

function filterRows(isFiltered: boolean): void {
  const { dataset } = document.documentElement;
  if (isFiltered) dataset['people'] = 'friends';
  else delete dataset['people'];
}

/** A link with the name of a game or player. */
export function linkTo(href: string, text: string): HTMLAnchorElement {
  const link = document.createElement('a');
  const name = document.createElement('bdi');
  name.textContent = text;
  link.href = href;
  link.append(name);
  return link;
}

function hint(text: string): HTMLElement {
  const span = document.createElement('span');
  span.className = 'hint';
  span.textContent = text;
  return span;
}
