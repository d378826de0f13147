import { avatarOf } from '../drawn-picture.ts';
import { links } from '../links.ts';

/** A link with the name of a game. */
export function linkTo(href: string, text: string): HTMLAnchorElement {
  const link = document.createElement('a');
  const name = document.createElement('bdi');
  name.textContent = text;
  link.href = href;
  link.append(name);
  return link;
}

/** A player's avatar and name with a link. */
export function linkToPlayer(name: string): HTMLAnchorElement {
  const link = linkTo(links.player(name), name);
  showAvatar(link, name);
  return link;
}

/** Draws a person's avatar before the text of an element. */
export function showAvatar(element: HTMLElement, name: string): void {
  const { className, initials } = avatarOf(name);
  element.classList.add(...className.split(' '));
  element.dataset['i'] = initials;
}

/** A sentence in the place of a part without content. */
export function paragraph(text: string): HTMLElement {
  const element = document.createElement('p');
  element.className = 'empty';
  element.textContent = text;
  return element;
}
