/** A link with the name of a game or player. */
export function linkTo(href: string, text: string): HTMLAnchorElement {
  const link = document.createElement('a');
  const name = document.createElement('bdi');
  name.textContent = text;
  link.href = href;
  link.append(name);
  return link;
}

/** A sentence in the place of a part without content. */
export function paragraph(text: string): HTMLElement {
  const element = document.createElement('p');
  element.className = 'empty';
  element.textContent = text;
  return element;
}
