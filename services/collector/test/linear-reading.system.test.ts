import { HOSTILE_SHAPES, hostilePage } from '@lobbystats/test-kit';
import { walk, type Node } from '../src/pages/document.parse.ts';
import { readCounter } from '../src/pages/counters.parse.ts';
import { readMatches } from '../src/pages/match-table.parse.ts';
import { readPageMetadata } from '../src/pages/page-metadata.parse.ts';
import { loadWholePage, type Page } from '../src/pages/page.parse.ts';
import { tablesOf } from '../src/pages/tables.parse.ts';
import { readVisibleText } from '../src/pages/visible-text.parse.ts';

const READERS: [name: string, read: (page: Page) => unknown][] = [
  ['the counter', (page) => readCounter(page, 'Users Online Now')],
  ['the tables', tablesOf],
  ['the matches', readMatches],
  ['the metadata', readPageMetadata],
  ['the texts', ({ $ }) => readVisibleText($.root().get(0) as unknown as Node)],
];

/** Number of child and sibling accesses of a reader. */
function stepsOf(html: string, read: (page: Page) => unknown): number {
  const page = loadWholePage(html);
  const nodes: Node[] = [];
  walk(page.$.root().get(0) as unknown as Node, { enter: (node) => nodes.push(node) > 0 });
  let steps = 0;
  for (const node of nodes) {
    for (const link of ['next', 'prev'] as const) {
      const value = node[link];
      Object.defineProperty(node, link, { get: () => ((steps += 1), value) });
    }
    if ('children' in node) {
      node.children = new Proxy(node.children, {
        get(target, key) {
          steps += 1;
          return Reflect.get(target, key) as unknown;
        },
      });
    }
  }
  read(page);
  return steps;
}

describe.each(READERS)('number of steps to read %s', (_, read) => {
  it.each(HOSTILE_SHAPES.filter((shape) => shape !== 'attributes'))(
    'grows at most linearly with the page size: %s',
    (shape) => {
      const [small = 0, medium = 0, large = 0] = [15_000, 25_000, 35_000].map((bytes) =>
        stepsOf(hostilePage(shape, bytes), read),
      );
      // Differences cancel the fixed part of the page. With quadratic work the second would be 1.5 times the first.
      expect(large - medium).toBeLessThan(1.2 * (medium - small) + 100);
    },
  );
});
