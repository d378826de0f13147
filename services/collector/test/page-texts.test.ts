import { load } from 'cheerio';
import fc from 'fast-check';
import { parseBounded } from '../src/pages/page.html.ts';
import {
  dataOf,
  isElement,
  nextElement,
  parentElement,
  previousElement,
  HIDDEN,
  INLINE,
  type Element,
  type Node,
} from '../src/pages/document.html.ts';
import { collectTexts, firstTextsOf, visibleElements } from '../src/pages/page-texts.html.ts';

const TAGS = 'div p b i font a span br table tr td th li dl dt dd ul svg template noscript script style button'.split(
  ' ',
);

/** Arbitrary tags and texts, closed or not. */
const tagSoup = fc
  .array(
    fc.oneof(
      fc.constantFrom(...TAGS.map((tag) => `<${tag}>`), ...TAGS.map((tag) => `</${tag}>`)),
      fc.constantFrom('a', ' ', '\n\t', ' b ', '\u00a0', '\ufeff', 'c  d', '<!-- e -->', '&nbsp;', '&lt;p>', '😀'),
    ),
    { maxLength: 60 },
  )
  .map((parts) => `<html><body>${parts.join('')}`);

/** Reference implementation of texts; quadratic in the depth. */
function simpleTextOf(node: Node): string {
  const data = dataOf(node);
  if (data !== undefined) return data;
  if (!isElement(node) || HIDDEN.has(node.name)) return '';
  const text = node.children.map(simpleTextOf).join('');
  return INLINE.has(node.name) ? text : ` ${text} `;
}

function textNodes(node: Node): string[] {
  const data = dataOf(node);
  if (data !== undefined) return [oneLine(data)];
  return isElement(node) && !HIDDEN.has(node.name) ? node.children.flatMap(textNodes) : [];
}

function findVisibleElements(element: Element): Element[] {
  return element.children
    .filter(isElement)
    .filter(({ name }) => !HIDDEN.has(name))
    .flatMap((child) => [child, ...findVisibleElements(child)]);
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

describe('every element of a page with arbitrary tags', () => {
  const eachElement = (check: (element: Element, textOf: (element: Element) => string) => void) => {
    fc.assert(
      fc.property(tagSoup, (html) => {
        const document = parseBounded(html);
        const textOf = collectTexts(document);
        for (const element of load(document)('*').toArray().filter(isElement)) check(element, textOf);
      }),
      { numRuns: 1000 },
    );
  };

  it('has the joined text of its visible descendants', () => {
    eachElement((element, textOf) => expect(textOf(element)).toBe(oneLine(simpleTextOf(element))));
  });

  it('returns its first two separate texts', () => {
    eachElement((element) => {
      const texts = textNodes(element).filter((text) => text !== '');
      expect(firstTextsOf(element, 2)).toEqual(texts.slice(0, 2));
    });
  });

  it('lists its visible descendants in document order', () => {
    eachElement((element) =>
      expect(visibleElements(element)).toEqual(HIDDEN.has(element.name) ? [] : findVisibleElements(element)),
    );
  });

  it('returns its previous and next element siblings', () => {
    eachElement((element) => {
      const siblings = parentElement(element)?.children.filter(isElement) ?? [];
      const index = siblings.indexOf(element);
      expect(previousElement(element)).toBe(siblings[index - 1]);
      expect(nextElement(element)).toBe(siblings[index + 1]);
    });
  });
});
