import { find, onClick } from './form.ts';
import { onNoticesChanged, see, textOf, unseen, type StoredNotice } from './notices.ts';

/** Rows that are shown; the others are counted. */
const SHOWN_MAX = 4;

let panel: HTMLElement | undefined;
let announcement: HTMLElement | undefined;
/** Time of the newest announcement: older notifications are shown only. */
let announcedUntil = Date.now();

/** Shows notifications over the content, and their number in the title of the page. */
export function showNotices(main: HTMLElement, followingPath: string): void {
  if (panel !== undefined) return;
  announcement = element('p', '', 'hidden');
  announcement.role = 'status';
  panel = element('section', '', 'notices');
  panel.ariaLabel = 'Notifications';
  panel.tabIndex = -1;
  const buttons = element('div', '', 'buttons');
  const all = element('button', 'Dismiss all', 'all');
  all.setAttribute('type', 'button');
  onClick(all, async () => {
    see();
    main.focus();
  });
  const link = document.createElement('a');
  link.href = followingPath;
  link.textContent = 'What you follow';
  buttons.append(all, link);
  panel.append(document.createElement('ul'), buttons);
  main.before(announcement, panel);
  const show = () => showRows(main);
  onNoticesChanged(show);
  show();
  const title = document.querySelector('title');
  // Updates of the page set its title.
  if (title !== null) new MutationObserver(showCount).observe(title, { childList: true });
}

/** Announces new ones to screen readers, which read the tab in use. */
function announce(notices: readonly StoredNotice[]): void {
  const fresh = notices.filter((one) => one.announcedAt > announcedUntil);
  announcedUntil = Math.max(announcedUntil, ...fresh.map((one) => one.announcedAt));
  if (announcement === undefined || fresh.length === 0) return;
  announcement.textContent = fresh.map((one) => `${one.title}: ${textOf(one)}`).join('. ');
}

let shown = '';

function showRows(main: HTMLElement): void {
  const notices = unseen();
  showCount();
  const key = JSON.stringify(notices);
  if (panel === undefined || key === shown) return;
  shown = key;
  announce(notices);
  const focused = document.activeElement?.closest<HTMLElement>('.notices li');
  const { tagName = '' } = document.activeElement ?? {};
  const place = [...panel.querySelectorAll('li')].findIndex((item) => item === focused);
  panel.hidden = notices.length === 0;
  find(panel, '.all').hidden = notices.length === 1;
  const rows = notices.slice(0, SHOWN_MAX).map(row);
  if (notices.length > SHOWN_MAX) rows.push(element('li', `and ${notices.length - SHOWN_MAX} more`, 'hint'));
  panel.querySelector('ul')?.replaceChildren(...rows);
  if (place < 0) return;
  // The focus stays with its notification. That of a dismissed one stays at its place, or goes to the content.
  const items = [...panel.querySelectorAll<HTMLElement>('li[data-topic]')];
  const same = items.find(({ dataset }) => dataset['topic'] === focused?.dataset['topic']);
  const item = same ?? items[Math.min(place, items.length - 1)];
  (item?.querySelector<HTMLElement>(tagName) ?? main).focus();
}

function row(notice: StoredNotice): HTMLElement {
  const item = document.createElement('li');
  item.dataset['topic'] = notice.topic;
  const link = document.createElement('a');
  link.href = notice.path;
  link.textContent = notice.title;
  link.addEventListener('click', () => see(({ topic }) => topic === notice.topic));
  const text = element('p', textOf(notice));
  text.dir = 'auto';
  const button = element('button', 'Dismiss');
  button.setAttribute('type', 'button');
  button.ariaLabel = `Dismiss: ${notice.title}`;
  onClick(button, async () => see(({ topic }) => topic === notice.topic));
  item.append(link, text, button);
  return item;
}

let prefix = '';

/** `(2) Harbor Racing`, which one sees in the list of tabs; at the reader's name, too. */
function showCount(): void {
  const count = unseen().length;
  const plain = document.title.startsWith(prefix) ? document.title.slice(prefix.length) : document.title;
  prefix = count === 0 ? '' : `(${count}) `;
  const title = prefix + plain;
  if (document.title !== title) document.title = title;
  const account = document.querySelector<HTMLElement>('a[data-account]');
  if (account === null) return;
  if (count === 0) delete account.dataset['count'];
  else account.dataset['count'] = String(count);
}

function element(tag: string, text: string, className = ''): HTMLElement {
  const made = document.createElement(tag);
  made.textContent = text;
  if (className !== '') made.className = className;
  return made;
}
