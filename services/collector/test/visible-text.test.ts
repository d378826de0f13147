import { load } from 'cheerio';
import fc from 'fast-check';
import { parseBounded } from '../src/pages/page.parse.ts';
import { dataOf, isElement, nextElement, parentElement, type Element, type Node } from '../src/pages/document.parse.ts';
import { readVisibleText, type VisibleText } from '../src/pages/visible-text.parse.ts';

const BLOCK_TAGS = 'div p br table tr td th li dl dt dd ul'.split(' ');
const INLINE_TAGS = 'b i font a span ins big label x-name wbr nobr'.split(' ');
const HIDDEN_TAGS = 'svg template noscript script style'.split(' ');
const TAGS = [...BLOCK_TAGS, ...INLINE_TAGS, ...HIDDEN_TAGS];

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
  if (data !== undefined) return data.replace(/\ufeff/g, '').replace(/\s/g, ' ');
  if (!isElement(node) || [...HIDDEN_TAGS, 'head', 'title'].includes(node.name)) return '';
  const text = node.children.map(simpleTextOf).join('');
  return [...BLOCK_TAGS, 'tbody', 'html', 'body'].includes(node.name) ? `\n${text}\n` : text;
}

function isWithinHidden(node: Node): boolean {
  for (let next: Node | null = node; next !== null; next = next.parent) {
    if (isElement(next) && [...HIDDEN_TAGS, 'head'].includes(next.name)) return true;
  }
  return false;
}

const squeeze = (text: string) => text.replace(/\s+/g, ' ').trim();

/** The visible text of the body of a page. */
function read(body: string, head = ''): { text: VisibleText; find: (selector: string) => Element } {
  const document = parseBounded(`<html><head>${head}</head><body>${body}</body></html>`);
  const $ = load(document);
  const find = (selector: string) => {
    const element = $(selector).get(0);
    if (element === undefined || !isElement(element)) throw new Error(`No ${selector}`);
    return element;
  };
  return { text: readVisibleText(document), find };
}

function textOf(body: string, head = ''): string {
  const { text, find } = read(body, head);
  return text.textOf(find('body'));
}

describe('every element of a page with arbitrary tags', () => {
  const eachElement = (check: (element: Element, text: VisibleText) => void) => {
    fc.assert(
      fc.property(tagSoup, (html) => {
        const document = parseBounded(html);
        const text = readVisibleText(document);
        for (const element of load(document)('body *').toArray().filter(isElement)) check(element, text);
      }),
      { numRuns: 300 },
    );
  };

  it('has the lines of its visible descendants', () => {
    eachElement((element, text) => {
      const lines = simpleTextOf(element)
        .split('\n')
        .map(squeeze)
        .filter((line) => line !== '');
      if (isWithinHidden(element)) return;
      expect(text.linesOf(element)).toEqual(lines);
      expect(text.textOf(element)).toBe(lines.join(' '));
    });
  });

  it('is visible unless it is in a hidden element', () => {
    eachElement((element, text) => expect(text.isVisible(element)).toBe(!isWithinHidden(element)));
  });

  it('returns its next element sibling', () => {
    eachElement((element) => {
      const siblings = parentElement(element)?.children.filter(isElement) ?? [];
      expect(nextElement(element)).toBe(siblings[siblings.indexOf(element) + 1]);
    });
  });
});

describe('text of a page', () => {
  it.each([
    ['a hidden attribute', '<span hidden>53</span>'],
    ['an inline style', '<span style="color: red; DISPLAY : none !important">53</span>'],
    ['an invisible style', '<b style="visibility:hidden">53</b>'],
    ['a place outside of the page', '<span style="position: absolute; left: -9999px">53</span>'],
    ['a clipped box', '<span style="clip: rect(0, 0, 0, 0); position: absolute">53</span>'],
    ['a class of Bootstrap', '<span class="d-none">53</span>'],
    ['a class of Bootstrap for narrow screens', '<span class="d-inline d-lg-none">53</span>'],
    ['a class of Bootstrap 3', '<span class="visible-xs-inline">53</span>'],
    ['a class of Tailwind', '<span class="hidden">53</span>'],
    ['a class of Tailwind for narrow screens', '<span class="inline md:hidden">53</span>'],
    ['a class of Bulma', '<span class="is-hidden-tablet">53</span>'],
    ['text for screen readers', '<span class="sr-only">53</span><span class="visually-hidden">53</span>'],
    [
      'text for screen readers in other style sheets',
      '<i class="screen-reader-text">5</i><i class="u-visually-hidden">3</i>',
    ],
    ['a closed panel', '<div class="collapse">53</div><div class="tab-pane fade">53</div>'],
    ['a closed dialog and closed details', '<dialog>53</dialog><details><p>53</p></details>'],
    ['a ligature', '<i class="material-icons">people</i><span class="material-symbols-outlined">star</span>'],
    ['an icon element', '<ion-icon>star</ion-icon><mat-icon>star</mat-icon>'],
    ['a picture', '<img alt="53"><span role="img" aria-label="crown">x</span><svg><title>53</title></svg>'],
    ['an annotation', '<ruby><rp>(</rp><rt>53</rt><rp>)</rp></ruby><sup><a href="#note">1</a></sup>'],
    ['a tooltip', '<span class="tooltiptext">53</span>'],
    ['a glyph of an icon font', '<span>\ue8f4</span>'],
    ['what no browser renders', '<!-- 53 --><template>53</template><noscript>53</noscript><script>53</script>'],
  ])('lacks %s', (_, hidden) => {
    expect(textOf(`<p>Old ${hidden}Pier</p>`)).toBe('Old Pier');
  });

  it.each([
    ['for wide screens', '<span class="d-none d-md-inline">Old Pier</span>'],
    ['for wide screens in Tailwind', '<span class="hidden sm:inline">Old Pier</span>'],
    ['unless it is printed', '<span class="d-print-none print:hidden hidden-print">Old Pier</span>'],
    ['unless it is dark', '<span class="dark:hidden">Old Pier</span>'],
    ['in an open panel', '<div class="collapse show">Old Pier</div>'],
    ['that only assistive technology ignores', '<span aria-hidden="true">Old Pier</span>'],
    ['with clipped overflow', '<span class="overflow-hidden" style="overflow:hidden;max-width:10rem">Old Pier</span>'],
    ['in unknown and inline elements', 'Ol<x-y>d</x-y> Pi<wbr>e<ins>r</ins>'],
    ['with soft hyphens', 'Old&shy; Pi&#8203;er'],
    ['in a ruby', '<ruby>Old Pier<rt>x</rt></ruby>'],
  ])('has text that is shown %s', (_, shown) => {
    expect(textOf(shown)).toBe('Old Pier');
  });

  it('lacks what the page’s own style sheet hides, but not what another medium hides', () => {
    const style =
      '<style>/* .c{} */ .a, p.b { color: red; display: none } @media print { .c { display: none } }</style>';
    expect(textOf('<b class="x a">1</b><p class=b>2</p><b class="c">3</b>', style)).toBe('3');
  });

  it('leaves badges and buttons out unless they are all of it', () => {
    const { text, find } = read(
      '<p>Moss <span class="badge bg-info">VIP</span> <button>Copy</button></p><b class="badge">12</b>',
    );
    expect(text.textOf(find('p'))).toBe('Moss');
    expect(text.fullTextOf(find('p'))).toBe('Moss VIP Copy');
    expect(text.textOf(find('b'))).toBe('12');
  });

  it('ends lines where boxes are stacked, and separates words of boxes side by side', () => {
    const stacked = read('<a class="flex flex-col"><span>Old Pier</span><span>Quillon</span></a>');
    expect(stacked.text.linesOf(stacked.find('a'))).toEqual(['Old Pier', 'Quillon']);
    expect(textOf('<a class="d-flex"><b>3</b><i>players</i></a>')).toBe('3 players');
    const inline = read('<td><div class="d-inline">Old</div> <div style="display:inline">Pier</div></td>');
    expect(inline.text.linesOf(inline.find('body'))).toEqual(['Old Pier']);
  });
});

describe('numbers of an element', () => {
  it.each([
    ['481', '<b>481</b>'],
    ['24 433', '<i class="fa fa-users"></i> 24&#8239;433'],
    ['481', '<span class="d-none">53</span>481'],
    ['481', '<span>481</span><!-- --> '],
    ['481', '4<!-- -->81'],
    ['3/8', '<b>3</b>/<span>8</span>'],
    ['4 in 1 session', '4 in <b>1</b> session'],
    ['12', '12 <span class="badge">NEW</span>'],
    ['12', '<span class="badge">12</span>'],
  ])('are %s in %s', (numbers, html) => {
    const { text, find } = read(`<p>${html}</p>`);
    expect(text.numbersOf(find('p'))).toBe(numbers);
  });

  it.each([
    '481<sup>1</sup>',
    '481<small>3</small>',
    '<span>4</span><span>81</span>',
    '481 <sup>123</sup>',
    '<i>1</i>,<i>234</i>',
    '<div>481</div><div>123</div>',
    '12 <span class="badge">3</span>',
  ])('are unknown when they are put together: %s', (html) => {
    const { text, find } = read(`<div id=x>${html}</div>`);
    expect(text.numbersOf(find('#x'))).toBeUndefined();
  });
});
