import { HOSTILE_SHAPES, hostilePage } from '@lobbystats/test-kit';
import { readGamePage, readHomepage } from './read-pages.ts';
import { UnparseablePageError } from '../src/network/page-failures.ts';
import { homepageHtml, page, type Listing } from './page-builder.ts';

const BYTES = 2_000_000;

const small: Listing = {
  registered: 24_409,
  online: 464,
  titles: [{ titleId: '4d530064', name: 'Halo 2', publisher: '', online: 7, sessions: 2, players: 5 }],
};

function homepageWith(content: string): string {
  return homepageHtml(small).replace('<main>', () => `<main>${content}`);
}

function attributes(count: number): string {
  return Array.from({ length: count }, (_, index) => ` a${index}`).join('');
}

/** Bold elements, each of its own kind: a fourth equal one would not be opened again. */
function openBolds(count: number, more = ''): string {
  return Array.from({ length: count }, (_, index) => `<b${more} data-n=${index}>`).join('');
}

describe('hostile page of 2 MB', () => {
  it.each(HOSTILE_SHAPES.filter((shape) => shape !== 'attributes'))('is readable as a homepage: %s', (shape) => {
    expect(readHomepage(hostilePage(shape, BYTES))).toMatchObject({ online: 464 });
  });

  it.each(['nested-divs', 'definition-terms', 'attributes'] as const)('is rejected as a game page: %s', (shape) => {
    expect(() => readGamePage(hostilePage(shape, BYTES))).toThrow(UnparseablePageError);
  });

  it('is readable when all its content is misplaced in a table', () => {
    const html = homepageWith(`<table>${'<br>x'.repeat(BYTES / 5)}</table>`);
    expect(readHomepage(html)).toMatchObject({ online: 464 });
  });

  it.each([
    ['a tag has attributes', hostilePage('attributes', BYTES)],
    ['it has attributes', homepageWith(`<p>${openBolds(300, attributes(200))}</p>${'<p>x</p>'.repeat(100)}`)],
    ['it has elements', homepageWith('<br>'.repeat(BYTES / 4))],
    ['it is nested', homepageWith('<div>'.repeat(BYTES / 5))],
    ['its tags are misnested', homepageWith(`<a><div>${'<br>'.repeat(BYTES / 4 - 1000)}</a></div>`)],
  ])('is rejected as final when it exceeds a bound: %s', (excess, html) => {
    const refusal = expect.objectContaining({ reason: `${excess} beyond reason`, isFinal: true });
    expect(() => readHomepage(html)).toThrow(refusal);
  });

  it('is readable when its leaderboard menu has only empty options', () => {
    const html = page(
      `<p>Title: Halo 2</p><select id="leaderboard-select">${'<option>'.repeat(BYTES / 8)}</select>No matches`,
    );
    expect(readGamePage(html)).toMatchObject({ metadata: { title: 'Halo 2' }, boards: null });
  });
});

describe('attribute limit of a tag', () => {
  it.each(['<p%>', '</p%>', '<p title=">"%>', '<svg><g%/></svg>'])(
    'rejects a tag with more than 256 attributes: %s',
    (tag) => {
      const [last, tooMany] = [255, 257].map((count) => homepageWith(tag.replace('%', attributes(count))));
      expect(readHomepage(last ?? '')).toMatchObject({ online: 464 });
      expect(() => readHomepage(tooMany ?? '')).toThrow(/a tag has attributes beyond reason/);
    },
  );

  it.each(['<script>if (a <b%) c()</script>', '<!-- a <b% -->', '<p title="a <b%">', '<style>/* <b% */</style>'])(
    'ignores attribute-like text outside of tags: %s',
    (content) => {
      expect(readHomepage(homepageWith(content.replace('%', attributes(2000))))).toMatchObject({ online: 464 });
    },
  );
});
