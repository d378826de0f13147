import { HOSTILE_SHAPES, hostilePage } from '@lobbystats/test-kit';
import { UnparseablePageError } from '../src/network/page-failures.ts';
import { createPageParser } from '../src/sources/parsing/page-parser.node.ts';
import { homepageHtml, page } from './page-builder.ts';
import { silentTelemetry } from './silent-telemetry.ts';

const BYTES = 2_000_000;
const HOMEPAGE = homepageHtml({
  registered: 24_409,
  online: 464,
  titles: [{ titleId: '4d530064', name: 'Halo 2', publisher: '', online: 7, sessions: 2, players: 5 }],
});
const bolds = Array.from({ length: 500 }, (_, index) => `<b data-n=${index}>`).join('');

const parser = createPageParser({ processes: 1, telemetry: silentTelemetry });
afterAll(() => parser.close());

/** The time and memory of the process bound what a page can take. */
describe('hostile page of 2 MB', () => {
  it.each([
    ...HOSTILE_SHAPES.map((shape) => [shape, hostilePage(shape, BYTES)]),
    ['levels without an end', page('<div>'.repeat(BYTES / 5))],
    ['levels that end', page('<div>'.repeat(20_000) + '</div>'.repeat(20_000))],
    ['elements that open again and again', page(`<div>${bolds}</div>${'<div>x</div>'.repeat(BYTES / 12)}`)],
    ['content that is misplaced in a table', page(`<table>${'<br>x'.repeat(BYTES / 5)}</table>`)],
    ['misnested tags', page(`<a><div>${'<br>'.repeat(BYTES / 4)}</a></div>`)],
    ['options', page(`<select id="leaderboard-select">${'<option>'.repeat(BYTES / 8)}</select>`)],
  ])('is refused as a game page, and the next page is read: %s', async (_, html = '') => {
    await expect(parser.parse('game', html)).rejects.toThrow(UnparseablePageError);
    await expect(parser.parse('home', HOMEPAGE)).resolves.toMatchObject({ online: 464 });
  });
});
