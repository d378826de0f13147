import type { HomepageReading } from '../src/network/network.ts';
import { homepageHtml } from './page-builder.ts';
import { read, small } from './small-homepage.ts';

/** The reading of Halo 2 after its row is replaced. */
function readHaloRow(row: string): HomepageReading['titles'][number] | undefined {
  const html = homepageHtml(small).replace(/<tr>(?:(?!<\/tr>).)*4D530064.*?<\/tr>/s, `<tr>${row}</tr>`);
  return read(html).titles.find(({ titleId }) => titleId === '4d530064');
}

const ID = '<td>MS-074<br>4d530064</td>';

describe('names of a homepage', () => {
  it.each([
    [
      'a link with a part in italics',
      '<a>Tom Hale’s <em>Harbor Six</em> 3</a><br>Quillon',
      'Tom Hale’s Harbor Six 3',
      'Quillon',
    ],
    ['a badge', '<span class="badge">NEW</span> <a>Old Pier</a><br><small>Quillon</small>', 'Old Pier', 'Quillon'],
    ['a badge and no publisher', '<a>Old Pier</a> <span class="badge">Beta</span><br><small></small>', 'Old Pier', ''],
    ['a ligature', '<i class="material-icons">star</i><a>Old Pier</a>', 'Old Pier', ''],
    ['a word break', '<a>Old<wbr>Pier</a>', 'OldPier', ''],
    [
      'stacked boxes',
      '<div class="d-flex flex-column"><b>Old Pier</b><span>Quillon</span></div>',
      'Old Pier',
      'Quillon',
    ],
    ['grey text beside it', '<b>Old Pier</b> <small class="text-muted">Quillon</small>', 'Old Pier', 'Quillon'],
    ['a heading above it', '<small>Racing</small><br><a href="/g">Old Pier</a><br>Quillon', 'Old Pier', 'Quillon'],
    [
      'two elements of which either may be the name',
      '<span class="a">Old Pier</span> <span class="b">Quillon</span>',
      '',
      '',
    ],
    ['a link that looks like a button', '<a class="btn btn-link">Old Pier</a><br>Quillon', 'Old Pier', 'Quillon'],
    ['a button above another line', '<a class="btn">Old Pier</a><br>Quillon', '', ''],
    ['two badges', '<b class="badge">Old Pier</b> <b class="badge">NEW</b>', '', ''],
    ['an old name', '<del>Pier</del> Old Pier', '', ''],
    ['a word beside the link', '<a>Old Pier</a> <em>Beta</em>', '', ''],
    ['initials above the name', '<div class="avatar avatar-sm">OP</div><div>Old Pier</div>', 'Old Pier', ''],
    ['a character that was not decoded', 'Old Pi\uFFFDr', '', ''],
  ])('reads the name and publisher of a cell with %s', (_, cell, name, publisher) => {
    expect(readHaloRow(`<td></td><td>${cell}</td>${ID}<td>7</td><td>-</td>`)).toMatchObject({ name, publisher });
  });

  it.each(['MS-074<br><b class="badge">4d530064</b>', '<b class="badge">MS-074</b> 4d530064'])(
    'belong to the title ID of the cell %s',
    (cell) => {
      const read = readHaloRow(`<td></td><td>Old Pier</td><td>${cell}</td><td>7</td><td>-</td>`);
      expect(read).toMatchObject({ name: 'Old Pier', productCode: 'MS-074', online: 7 });
    },
  );
});

describe('counters of a homepage', () => {
  it.each([
    [
      'a list of definitions',
      '<dl><dt>Games Supported<dd>2<dt>Registered Users<dd>24,409<dt>Users Online Now<dd>4,640</dl>',
    ],
    ['labels above numbers', '<div><p>Registered Users</p><h3>24.409</h3><p>Users Online Now</p><h3>4.640</h3></div>'],
    ['numbers above labels', '<div><h3>24.409</h3><p>Registered Users</p><h3>4.640</h3><p>Users Online Now</p></div>'],
    [
      'boxes of their own',
      '<dl><div><dt>Users Online Now</dt><dd>4 640</dd></div><div>24.409 <b>Registered Users</b></div></dl>',
    ],
    ['lines', '<p>Users Online Now: <b>4,640</b><br>Registered Users: 24,409</p>'],
    ['a table', '<table><tr><th>Registered Users<td>24,409<tr><th>Users Online Now<td>4,640</table>'],
    [
      'a list with badges',
      '<ul><li>Registered Users <span class="badge">24,409</span><li>Users Online Now<span class="badge">4,640</span></ul>',
    ],
    [
      'numbers with a change in a badge',
      '<div><h3>24,409 <small class="badge">+12%</small></h3><p>Registered Users</p></div>' +
        '<div><h3><b class="badge">4,640</b> <b class="badge">▲ 3 today</b></h3><p>Users Online Now</p></div>',
    ],
    [
      'labels with a change in a badge',
      '<div><p>Registered Users <b class="badge">12 %</b></p><h3>24,409</h3></div>' +
        '<div><p>Users Online Now: 4,640 <b class="badge">-5</b></p></div>',
    ],
    [
      'numbers with an arrow and a change beside or below them',
      '<div><p>Users Online Now</p><h3>4,640</h3><p>↗︎ 400 (22%)</p></div>' +
        '<div><p>Registered Users</p><h3>24,409 <span class="text-success">▲ 12</span></h3><p class="desc">Jan 1st - Feb 1st</p></div>',
    ],
    [
      'Arabic digits',
      '<div><h3>٢٤٬٤٠٩</h3><p>Registered Users</p></div><div><h3>&rlm;٤٬٦٤٠</h3><p>Users Online Now</p></div>',
    ],
    [
      'hidden twins',
      '<div><h3><span class="d-none">24</span>24,409</h3><p>Registered Users</p></div><div><h3>4,640</h3><p hidden>x</p><p>Users Online Now</p></div>',
    ],
  ])('reads counters in %s', (_, counters) => {
    const html = homepageHtml(small).replace(/<div>.*<\/div>(?=<table>)/s, counters);
    expect(read(html)).toMatchObject({ online: 4640, registered: 24_409 });
  });

  it.each([
    '<dl><dt>Registered Users<dd>24,409<dt>Users Online Now<dd>—</dl>',
    '<div><p>Users Online Now</p></div><div><h3>24,409</h3><p>Registered Users</p></div>',
    '<div><p>Users Online Now</p><h3>4,640</h3><h4>9,999</h4></div>',
    '<div><h3>4,640+</h3><p>Users Online Now</p></div>',
    '<div><div><span>4</span><span>6</span></div><p>Users Online Now</p></div>',
    '<div><h3>9</h3><p>Users Online Now</p><h3>4,640</h3></div>',
    '<div><h3>4.6K</h3><p>Users Online Now</p></div>',
    '<div><h3>4640<small class="badge">K</small></h3><p>Users Online Now</p></div>',
    '<div><h3>4640 <small class="badge">+</small></h3><p>Users Online Now</p></div>',
    '<div><h3>4640 <small class="badge">12</small></h3><p>Users Online Now</p></div>',
    '<div><h3>4 <small class="badge">NEW</small> 640</h3><p>Users Online Now</p></div>',
    '<div><h3>4 <small class="badge">+1%</small> 640</h3><p>Users Online Now</p></div>',
    '<div><p>Users Online Now 4 <small class="badge">+1%</small> 640</p></div>',
    '<div><h3>٤٦٤<sup>٠</sup></h3><p>Users Online Now</p></div>',
    '<div><h3>464<b>&rlm;</b>0</h3><p>Users Online Now</p></div>',
    '<div><h3><bdo dir="rtl">4640</bdo></h3><p>Users Online Now</p></div>',
    '<div><h3 style="unicode-bidi: bidi-override; direction: rtl">4640</h3><p>Users Online Now</p></div>',
    '<div><h3>46٤٠</h3><p>Users Online Now</p></div>',
  ])('throws UnparseablePageError rather than read the number of another counter: %s', (counters) => {
    const html = homepageHtml(small).replace(/<div>.*<\/div>(?=<table>)/s, counters);
    expect(() => read(html)).toThrow(/counter/);
  });

  it('reads an abbreviated number of registered users as unknown', () => {
    expect(read(homepageHtml(small).replace('24,409', '24.4K'))).toMatchObject({ registered: null, online: 4640 });
  });

  it('reads a table whose headings are in plain cells, and cells over several rows', () => {
    const html = homepageHtml(small)
      .replace(/<th>/g, '<td>')
      .replace(/<\/th>/g, '</td>')
      .replace('<td>Title', '<td>Publisher</td><td>Title')
      .replace('<td><a href="/games/4d530064">', '<td rowspan="2">Quillon</td><td><a href="/games/4d530064">');
    expect(read(html).titles).toMatchObject([
      { name: 'Halo 2', publisher: 'Quillon', online: 1234 },
      { name: 'Quiet', publisher: 'Quillon', online: 0 },
    ]);
  });
});
