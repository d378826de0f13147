import { childElements, type Element } from './document.html.ts';
import type { Cell } from './tables.html.ts';

const MAX_URL_LENGTH = 2048;

/** The absolute http(s) URL of a row's first image, or `""`. */
export function iconOf(row: Cell[], baseUrl: string): string {
  for (const { element } of row) {
    const picture = firstPicture(element);
    if (picture !== undefined)
      return toAbsoluteUrl(picture.attribs['src'] ?? picture.attribs['data-src'] ?? '', baseUrl);
  }
  return '';
}

function firstPicture(element: Element): Element | undefined {
  for (const child of childElements(element)) {
    const picture = child.name === 'img' ? child : firstPicture(child);
    if (picture !== undefined) return picture;
  }
  return undefined;
}

export function toAbsoluteUrl(address: string, baseUrl: string): string {
  if (address.trim() === '' || !URL.canParse(address, baseUrl)) return '';
  const { protocol, href } = new URL(address, baseUrl);
  return (protocol === 'http:' || protocol === 'https:') && href.length <= MAX_URL_LENGTH ? href : '';
}
