import fc from 'fast-check';
import { UnparseablePageError } from '../src/network/page-failures.ts';
import type { HomepageReading } from '../src/network/network.ts';
import { homepageHtml, listing, plain, style, type Listing } from './page-builder.ts';
import { halo, read, small } from './small-homepage.ts';

function expectedOf({ registered, online, titles }: Listing, icons: boolean): HomepageReading {
  return {
    registered,
    online,
    titles: titles.map(({ sessions, players, ...title }) => ({
      ...title,
      productCode: 'MS-074',
      image: icons ? `https://network.example/icons/${title.titleId}.svg` : '',
      activity: { sessions, players },
    })),
  };
}

/** The reading of Halo 2 after its row is replaced. */
function readHaloRow(row: string): HomepageReading['titles'][number] | undefined {
  const html = homepageHtml(small).replace(/<tr>(?:(?!<\/tr>).)*4D530064.*?<\/tr>/s, `<tr>${row}</tr>`);
  return read(html).titles.find(({ titleId }) => titleId === '4d530064');
}

const ID = '<td>MS-074<br>4d530064</td>';

/** The reading of a page; undefined when it is rejected. */
function unlessRefused(reading: () => HomepageReading): HomepageReading | undefined {
  try {
    return reading();
  } catch (error) {
    if (error instanceof UnparseablePageError) return undefined;
    throw error;
  }
}

describe('readHomepage', () => {
  it('reads the same values from any markup, number format and optional cells', () => {
    fc.assert(
      fc.property(listing, style, (values, written) => {
        expect(read(homepageHtml(values, written))).toEqual(expectedOf(values, written.icons));
      }),
      { numRuns: 100 },
    );
  });

  it.each([
    ['MS-074<br><small class="text-muted">4D530064</small>', 'MS-074'],
    ['4D530064 <small>ms-74</small>', 'MS-74'],
    ['4D530064', ''],
  ])('reads the product code of the cell %s', (cell, productCode) => {
    const row = `<td></td><td>Halo 2</td><td>${cell}</td><td>3</td><td>-</td>`;
    expect(readHaloRow(row)).toMatchObject({ titleId: '4d530064', productCode });
  });

  it('reads a truncated page completely or throws', () => {
    fc.assert(
      fc.property(listing, style, fc.double({ min: 0, max: 1, noNaN: true }), (values, written, part) => {
        const html = homepageHtml(values, written);
        const cut = html.slice(0, Math.floor(html.length * part));
        expect([undefined, expectedOf(values, written.icons)]).toContainEqual(unlessRefused(() => read(cut)));
      }),
      { numRuns: 100 },
    );
  });

  it.each([
    ['the counter of users online is missing', (html: string) => html.replaceAll('Users Online Now', 'Users')],
    ['the counter of users online is no number', (html: string) => html.replace('4,640', '4.6k')],
    [
      'two counters of users online differ',
      (html: string) => html.replace('<table>', '<h3>7</h3><p>Users Online Now</p><table>'),
    ],
    ['a game has more users than the site', (html: string) => html.replace('4,640', '1,233')],
    ['the counter counts up by script', (html: string) => html.replace('<h3>4,640', '<h3 data-count="4640">0')],
    ['a number is put together from two elements', (html: string) => html.replace('4,640', '4,640<sup>1</sup>')],
    ['the headings are not known', (html: string) => html.replace('<th>Online', '<th>Peak')],
    ['two headings fit the users online', (html: string) => html.replace('<th>Activity', '<th>Users online')],
    ['the table of games is gone', (html: string) => html.replaceAll(/<(\/?)table>/g, '<$1div>')],
    ['the table of games is not closed', (html: string) => html.replace('</table>', '')],
    ['it ends before </html>', (html: string) => html.replace('</html>', '')],
    ['</html> stands in an attribute alone', (html: string) => html.replace('</html>', '<img alt="</html>">')],
    ['two rows of one title differ', (html: string) => html.replaceAll('41560023', '4d530064')],
    ['a title that is played has no ID', (html: string) => html.replace('4D530064', '4D53')],
    ['a title that is played has no users online', (html: string) => html.replace('1,234', 'many')],
    ['an idle title has no users online', (html: string) => html.replace('<td>0</td>', '<td>n/a</td>')],
    ['a row has a cell less', (html: string) => html.replace('<td>0</td>', '')],
    ['a row is across the table', (html: string) => html.replace('</table>', '<tr><td colspan=5>Classics</table>')],
    ['the table has fewer games than it should', (html: string) => html.replace('<h3>2</h3>', '<h3>9</h3>')],
    ['it is nested beyond reason', (html: string) => html.replace('<main>', '<div>'.repeat(100_000))],
    [
      'its tags would be opened again and again',
      (html: string) => {
        const open = Array.from({ length: 500 }, (_, index) => `<b data-n=${index}>`).join('');
        return html.replace('<main>', `<div>${open}</div>${'<div>x</div>'.repeat(100_000)}<main>`);
      },
    ],
  ])('throws UnparseablePageError when %s', (_, change) => {
    expect(() => read(change(homepageHtml(small)))).toThrow(UnparseablePageError);
  });

  it('reads a page with inline SVG icons and many "<" in scripts, styles and comments', () => {
    const titles = Array.from({ length: 600 }, (_, index) => ({
      ...halo,
      titleId: `4d53${index.toString(16).padStart(4, '0')}`,
    }));
    const values = { ...small, titles };
    const less = 'if(a<b&&c<d)e("<div><svg><g>");'.repeat(600);
    const html = homepageHtml(values, { ...plain, inlineIcons: true }).replace(
      '<main>',
      `<script>${less}</script><style>/* ${less} */</style><!-- ${less} --><main>`,
    );
    expect(read(html)).toEqual(expectedOf(values, true));
  });

  it.each([
    ['behind what only looks like a comment', '<!--><!--->'],
    ['behind a comment in an attribute', '<p title="<!--">'],
    ['in a script that is drawn', '<svg><script>'],
    ['behind a script in a script', '<script></script data-x="<script>">'],
    ['in what looks closed by itself', ''],
  ])('throws UnparseablePageError for excessive nesting %s', (_, before) => {
    const deep = `${before}${'<g/>'.repeat(9)}${'<div/>'.repeat(9)}${'<g x=1>'.repeat(600)}`;
    const html = homepageHtml(small).replace('<main>', () => `${deep}--></script><main>`);
    expect(() => read(html)).toThrow(/beyond reason/);
  });

  it('throws UnparseablePageError for a page with 600,000 elements', () => {
    const html = homepageHtml(small).replace('<main>', () => `${'<p>'.repeat(600_000)}<main>`);
    expect(() => read(html)).toThrow(/elements beyond reason/);
  });

  it('throws UnparseablePageError when all cells of users online are missing', () => {
    const html = homepageHtml(small)
      .replace(/<td>(?:1,234|0)<\/td>/g, '')
      .replace('<td>-</td>', '<td>0</td>');
    expect(() => read(html)).toThrow(UnparseablePageError);
  });

  it.each([
    ['more players in sessions than users online', '1,235 in 12 sessions'],
    ['more sessions than players', '3 in 5 sessions'],
  ])('returns null for an activity with %s', (_, activity) => {
    const row = `<td></td><td>Halo 2</td>${ID}<td>1,234</td><td>${activity}</td>`;
    expect(readHaloRow(row)).toMatchObject({ online: 1234, activity: null });
  });

  it('returns null for registered users that are fewer than those online', () => {
    expect(read(homepageHtml({ ...small, registered: 0 })).registered).toBeNull();
  });

  it('leaves out a row of totals and hidden rows', () => {
    const more =
      '<tr><td></td><td>Total</td><td></td><td>1,234</td><td>57 in 12 sessions</td></tr>' +
      '<tr hidden><td></td><td>Old</td><td>MS-1 41560024</td><td>9,999</td><td>busy</td></tr></table>';
    expect(read(homepageHtml(small).replace('</table>', more))).toEqual(expectedOf(small, true));
  });

  it('returns null for a missing or unreadable number of registered users', () => {
    expect(read(homepageHtml(small).replace('24,409', '24k')).registered).toBeNull();
    expect(read(homepageHtml(small).replace('Registered Users', 'Members')).registered).toBeNull();
  });

  it.each(['-', '–', '0', '0 sessions', '0 in 0 sessions', '', '&nbsp;'])(
    'reads the activity "%s" as idle',
    (activity) => {
      expect(readHaloRow(`<td></td><td>Halo 2</td>${ID}<td>0</td><td>${activity}</td>`)).toMatchObject({
        online: 0,
        activity: { sessions: 0, players: 0 },
      });
    },
  );

  it.each(['busy', '5', '5 in sessions', '3 in 0 sessions', 'N in M sessions'])(
    'returns null for the unreadable activity "%s"',
    (activity) => {
      expect(readHaloRow(`<td></td><td>Halo 2</td>${ID}<td>7</td><td>${activity}</td>`)).toMatchObject({
        activity: null,
      });
    },
  );

  it.each([
    ['//cdn.example/i.png', 'https://cdn.example/i.png'],
    ['i.png?a=1&amp;b=2', 'https://network.example/live/i.png?a=1&b=2'],
    ['javascript:alert(1)', ''],
    ['data:image/png;base64,AA', ''],
    ['http://[', ''],
    ['', ''],
    ['data:image/gif;base64,AA" data-src="/i.png', 'https://network.example/i.png'],
    ['" srcset="/i.png 1x, /j.png 2x', 'https://network.example/i.png'],
  ])('resolves the icon %s to "%s"', (source, image) => {
    expect(readHaloRow(`<td><img src="${source}"></td><td>Halo 2</td>${ID}<td>7</td><td>-</td>`)).toMatchObject({
      image,
    });
  });

  it('ignores the footer and repeated headings, and refuses two tables of games', () => {
    const [before = '', after = ''] = homepageHtml(small).split('</table>');
    const more =
      '<tr><th></th><th>Title</th><th>Serial</th><th>Online</th><th>Activity</th></tr>' +
      '<tfoot><tr><td>Total</td><td></td><td></td><td>1,234</td><td>57 in 12 sessions</td></tr></tfoot></table>';
    const top = `<table><tr><td>Top</td>${ID}<td>9</td><td>9 in 9 sessions</td></tr></table>`;
    expect(read(before + more + after)).toEqual(expectedOf(small, true));
    expect(() => read(before.replace('<table>', `${top}<table>`) + more + after)).toThrow(/2 tables/);
  });
});
