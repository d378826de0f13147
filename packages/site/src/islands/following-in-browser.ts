import { apiOf } from './api.ts';
import { browserFollows, keyOfTarget, onFollowsChanged, unfollowInBrowser, type Target } from './browser-follows.ts';
import { fill, find, itemOf, noticeOf, onClick } from './form.ts';
import type { Session } from './island.ts';
import { canNotify, isNotifying, startNotifying, stopNotifying } from './system-notices.ts';
import { nameOf, pathOf } from './target-page.ts';

let isBound = false;

/** Lists what is followed without an account; a button lets the system show its notifications. */
export function showFollowingInBrowser(section: HTMLElement, session: Session): void {
  const show = () => showRows(section, session);
  show();
  if (isBound) return;
  isBound = true;
  onFollowsChanged(show);
  bindSystem(section);
}

function showRows(section: HTMLElement, session: Session): void {
  const list = find(section, 'ul');
  const follows = browserFollows();
  const rows = new Map([...list.querySelectorAll<HTMLElement>('li')].map((row) => [row.dataset['key'], row]));
  // Rows that stay keep the focus.
  for (const [key, row] of rows) if (!follows.some((one) => keyOfTarget(one) === key)) row.remove();
  for (const target of follows) {
    if (!rows.has(keyOfTarget(target))) list.append(followRow(section, session, target));
  }
  find(section, '.empty').hidden = follows.length > 0;
}

function followRow(section: HTMLElement, session: Session, target: Target): HTMLElement {
  const row = itemOf(section, 'template');
  const [link, button] = [find<HTMLAnchorElement>(row, 'a'), find(row, 'button')];
  const showName = (name: string) => {
    fill(row, { name, kind: target.kind });
    button.ariaLabel = `Stop following ${name}`;
  };
  row.dataset['key'] = keyOfTarget(target);
  link.href = pathOf(target);
  showName(target.id);
  void nameOf(apiOf(session), target).then(showName);
  onClick(button, async () => {
    const next = row.nextElementSibling ?? row.previousElementSibling;
    unfollowInBrowser(target);
    (next?.querySelector('button') ?? document.getElementById('heading'))?.focus();
    noticeOf(section).show(`You no longer follow ${link.textContent}.`);
  });
  return row;
}

function bindSystem(section: HTMLElement): void {
  const button = find<HTMLButtonElement>(section, '.system');
  const notice = noticeOf(section);
  const show = () => (button.ariaPressed = String(isNotifying()));
  show();
  button.hidden = !canNotify();
  onClick(button, async () => {
    notice.show('');
    try {
      if (isNotifying()) stopNotifying();
      else await startNotifying();
      notice.show(isNotifying() ? 'The system shows notifications while a page is open.' : 'The system shows none.');
    } catch (error) {
      notice.warn(error instanceof Error ? error.message : String(error));
    }
    show();
  });
}
