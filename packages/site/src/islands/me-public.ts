import { links } from '../links.ts';
import { find } from './form.ts';
import type { Session } from './island.ts';

/** Sections of the reader's public page, in the order of interest. */
const SECTIONS = ['#play-time', '#story', '#changes', '#held-records', '#rivals'];

/** Shows parts of the reader's public page. */
export async function showPublicParts(element: HTMLElement, session: Session, username: string): Promise<void> {
  const slot = find(element, '#public-slot');
  const response = await fetch(links.player(username), {
    cache: 'no-cache',
    headers: { Accept: 'text/html' },
  });
  if (!response.ok) {
    slot.replaceChildren();
    return;
  }
  const page = new DOMParser().parseFromString(await response.text(), 'text/html');
  const sections = SECTIONS.flatMap((selector) => page.querySelector(selector) ?? []);
  // Plots stay pictures: the page would load much more script.
  for (const plot of sections.flatMap((section) => [...section.querySelectorAll('[data-plot]')]))
    plot.removeAttribute('data-plot');
  slot.replaceChildren(...sections.map((section) => document.adoptNode(section)));
  session.showTimes(slot);
}
