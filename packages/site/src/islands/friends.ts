import type { Friend } from '@lobbystats/service-auth';
import { durationText, MINUTE_MS } from '../dates.ts';
import { linkedPlayer, links } from '../links.ts';
import type { Session } from './island.ts';
import { linkTo, linkToPlayer, paragraph } from './elements.ts';
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
  const kind = element.dataset['friends'] ?? '';
  if (kind === 'game') {
    await updateContent(element, friendsHere(element.dataset['game'] ?? '', people));
    return;
  }
  const isFiltered = !['list', 'compare'].includes(kind) && new URL(location.href).searchParams.has('friends');
  const parts = [
    ...(['list', 'live', 'compare'].includes(kind) ? [friendList(people, kind === 'compare')] : []),
    ...(['list', 'compare'].includes(kind)
      ? []
      : filterBox(element, isFiltered, () => void showFriends(element, session))),
  ];
  // What is the same stays, with its focus.
  const key = JSON.stringify([people, isFiltered, lobbiesByHost(people)]);
  if (element.dataset['shown'] !== key || element.childElementCount === 0) await updateContent(element, parts);
  element.dataset['shown'] = key;
  filterRows(isFiltered);
  if (isFiltered) await showRows(element, session, people);
  else element.querySelector('.only')?.replaceChildren();
}

/** Kinds of pages whose other rows are read, too: rows of the shown page alone would hide friends. */
const READ_WHOLE = ['board', 'live', 'unlocks'];

/** Shows the rows of the reader and their friends, or says that there is none. */
async function showRows(element: HTMLElement, session: Session, people: People): Promise<void> {
  const result = element.querySelector<HTMLElement>('.only');
  if (result === null) return;
  if (READ_WHOLE.includes(element.dataset['friends'] ?? '')) {
    const { friendsOnly } = await import('./friends-only.ts');
    const rows = await friendsOnly(element, session, people).catch(() => [
      paragraph('The rows of your friends can not be read at the moment. Try again soon.'),
    ]);
    // The reader may have turned the filter off meanwhile.
    if (!new URL(location.href).searchParams.has('friends')) return;
    await updateContent(result, rows);
    markPeople(document, people);
    return;
  }
  const isFound = document.querySelector('main tbody [data-person]') !== null;
  const none = paragraph('Nobody in these rows is a friend of yours. Others may be on the other pages.');
  result.replaceChildren(...(isFound ? [] : [none]));
}

/** Friends who are online, or all of them to compare oneself with. */
function friendList(people: People, isOfAll: boolean): HTMLElement {
  const section = document.createElement('section');
  const heading = document.createElement('h2');
  const listed = people.friends.filter(({ isOnline }) => isOnline || isOfAll);
  heading.textContent = isOfAll
    ? 'Compare with a friend'
    : `Friends online (${listed.length} of ${people.friends.length})`;
  section.append(heading);
  if (listed.length === 0) {
    section.append(
      paragraph(
        people.friends.length === 0 ? 'The network knows no friends of yours' : 'None of your friends is online',
      ),
    );
    return section;
  }
  const list = document.createElement('ul');
  list.className = 'list friends';
  const lobbies = lobbiesByHost(people);
  list.append(...listed.map((friend) => friendItem(friend, people, lobbies[friend.gamertag])));
  section.append(list);
  return section;
}

function friendItem({ gamertag, game = '', duration = '' }: Friend, people: People, lobby?: string): HTMLElement {
  const item = document.createElement('li');
  item.id = `friend-${encodeURIComponent(gamertag)}`;
  // An ID for each: with others before it, a link stays the same.
  const partOf = (kind: string, link: HTMLAnchorElement) => Object.assign(link, { id: `${item.id}-${kind}` });
  item.append(linkToPlayer(gamertag));
  if (game !== '') item.append(' plays ', partOf('game', linkTo(links.game(game), game)));
  if (duration !== '') item.append(hint(` for ${shortDuration(duration)}`));
  if (lobby !== undefined) item.append(' · ', partOf('lobby', linkTo(`#${lobby}`, 'open lobby')));
  const comparison = linkTo(comparisonHref(people.own.at(-1) ?? '', gamertag), 'compare');
  item.append(' · ', partOf('comparison', comparison));
  return item;
}

/** The network writes `1 hour 13 minutes`; other texts stay as they are. */
function shortDuration(text: string): string {
  const [match, hours = '0', minutes = '0'] = /^(?:(\d+) hours?)? ?(?:(\d+) minutes?)?$/.exec(text) ?? [];
  return match === undefined ? text : durationText((60 * Number(hours) + Number(minutes)) * MINUTE_MS);
}

/** `Your friends here: Oak85, Lone Elk`. */
function friendsHere(game: string, { friends }: People): (Node | string)[] {
  const here = friends.filter((friend) => friend.isOnline && keyOf(friend.game ?? '') === keyOf(game));
  if (here.length === 0) return ['None of your friends plays it now.'];
  return here.flatMap(({ gamertag }, index) => [
    index === 0 ? 'Your friends here: ' : ', ',
    linkTo(links.player(gamertag), gamertag),
  ]);
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

function filterBox(element: HTMLElement, isFiltered: boolean, onChange: () => unknown): HTMLElement[] {
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
    onChange();
  });
  const result = document.createElement('div');
  result.className = 'only';
  result.setAttribute('role', 'status');
  return [label, result];
}

function filterRows(isFiltered: boolean): void {
  const { dataset } = document.documentElement;
  if (isFiltered) dataset['people'] = 'friends';
  else delete dataset['people'];
}

function hint(text: string): HTMLElement {
  const span = document.createElement('span');
  span.className = 'hint';
  span.textContent = text;
  return span;
}
