import { readGamePage } from '../src/pages/read-game-page.parse.ts';
import { gamePageHtml, homepageHtml, type Game } from './page-builder.ts';
import { read, small } from './small-homepage.ts';
import { unlessRefused } from './reading-agreement.ts';
import { withRoles } from './table-roles.ts';

const game: Game = { title: 'Old Pier', publisher: 'Quillon', matches: [] };

describe('tables of elements with the roles of a table', () => {
  it('have the games of a homepage', () => {
    expect(read(withRoles(homepageHtml(small)))).toEqual(read(homepageHtml(small)));
  });

  it('have the matches of a game, also with cells in boxes', () => {
    const cell = (text: string, role = 'cell') => `<span role="${role}">${text}</span>`;
    const rows =
      `<div role="rowgroup"><div role="row"><div>${cell('Host', 'columnheader')}</div>${cell('Players', 'columnheader')}</div></div>` +
      `<div role="rowgroup"><div role="row"><div>${cell('Publisher: Ada')}</div>${cell('3/8')}</div></div>`;
    const html = (attributes: string) =>
      gamePageHtml(game).replace(/<table class.*?<\/table>/s, `<div role="table"${attributes}>${rows}</div>`);
    expect(readGamePage(html('')).matches).toEqual([{ host: 'Publisher: Ada', players: 3, maxPlayers: 8 }]);
    expect(readGamePage(html('')).metadata).toMatchObject({ title: 'Old Pier', publisher: 'Quillon' });
    expect(() => readGamePage(html(' aria-rowcount="12"'))).toThrow(/more rows/);
  });

  it.each([
    ['No open matches', []],
    ['Nobody', undefined],
    ['No matches loaded, retry', undefined],
  ])('have no rows when their only cell is a notice: %s', (notice, matches) => {
    const html = gamePageHtml(game)
      .replace(' colspan="2"', '')
      .replace(/<td>Nobody[^<]*/, `<td>${notice}`);
    const reading = unlessRefused(() => readGamePage(withRoles(html)).matches);
    expect(reading).toEqual(matches ?? 'refused');
  });

  it('are refused when they say that they have more rows than the page', () => {
    const html = homepageHtml(small);
    expect(read(html.replace('<table>', '<table aria-rowcount="3">'))).toEqual(read(html));
    for (const rows of [4, -1]) {
      expect(() => read(html.replace('<table>', `<table aria-rowcount="${rows}">`))).toThrow(/more rows/);
    }
  });
});
