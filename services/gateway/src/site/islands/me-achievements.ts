import { links } from '../links.ts';
import { find } from './form.ts';
import type { Session } from './island.ts';

/** Shows the achievements as the reader's public page has them. */
export async function showAchievements(element: HTMLElement, session: Session, username: string): Promise<void> {
  const slot = find(element, '#achievements-slot');
  slot.replaceChildren();
  const response = await fetch(links.player(username), {
    cache: 'no-cache',
    headers: { Accept: 'text/html' },
  });
  if (!response.ok) return;
  const page = new DOMParser().parseFromString(await response.text(), 'text/html');
  const section = page.querySelector('#achievements');
  if (section === null) return;
  slot.append(document.adoptNode(section));
  session.showTimes(slot);
}
