import { isElement, walk, type Element } from './document.parse.ts';
import { isPublicUrl } from './public-url.ts';
import type { Cell } from './tables.parse.ts';

const MAX_URL_LENGTH = 2048;

/** The absolute http(s) URL of a row's first image, or `""`. Images of rows before the title's own are its icon as well. */
export function iconOf(row: readonly Cell[], baseUrl: string): string {
  for (const { element } of row) {
    const pictures = picturesOf(element);
    const picture =
      pictures.find(({ parent }) => parent !== null && isElement(parent) && parent.name === 'a') ?? pictures[0];
    if (picture !== undefined) return sourceOf(picture, baseUrl);
  }
  return '';
}

/** Pages that load pictures late have the address in another attribute, and a placeholder as `src`. */
function sourceOf({ attribs }: Element, baseUrl: string): string {
  const addresses = ['data-src', 'data-original', 'data-lazy-src', 'data-lazy', 'src'].map(
    (name) => attribs[name] ?? '',
  );
  const [fromSet = ''] = (attribs['srcset'] ?? attribs['data-srcset'] ?? '').trim().split(/[\s,]+/);
  return [...addresses, fromSet].map((address) => toAbsoluteUrl(address, baseUrl)).find((url) => url !== '') ?? '';
}

export function picturesOf(element: Element): Element[] {
  const pictures: Element[] = [];
  walk(element, {
    enter(node) {
      if (isElement(node) && node.name === 'img') pictures.push(node);
      return !isElement(node) || (node.name !== 'noscript' && node.name !== 'template');
    },
  });
  return pictures;
}

export function toAbsoluteUrl(address: string, baseUrl: string): string {
  if (address.trim() === '' || !URL.canParse(address, baseUrl)) return '';
  const url = new URL(address, baseUrl);
  const { protocol, href } = url;
  if (!isPublicUrl(url, new URL(baseUrl))) return '';
  return (protocol === 'http:' || protocol === 'https:') && href.length <= MAX_URL_LENGTH ? href : '';
}
