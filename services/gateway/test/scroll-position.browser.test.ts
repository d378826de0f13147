import { formatInstant, formatTimestamp, slotStored } from '@lobbystats/contracts';
import { cleanUp, eventually, launchChromium } from '@lobbystats/test-kit';
import type { Browser, BrowserContextOptions } from 'playwright-core';
import { BOARD_PAGE, runBoardGateway } from './board-gateway.ts';
import { activity } from './day.ts';
import { network, title } from './network.ts';
import { openPage, type OpenedPage } from './opened-page.ts';
import { runGateway } from './running-gateway.ts';

const GAMES = 80;
const BLOCK = 8;
/** CSS pixels. */
const TOLERANCE = 2;

const READERS: readonly (readonly [string, BrowserContextOptions])[] = [
  ['desktop', { viewport: { width: 1280, height: 800 } }],
  ['phone', { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true }],
];

let browser: Browser;

beforeAll(async () => {
  browser = await launchChromium();
  cleanUp(() => browser.close(), 'file');
});

/** A network of many games with lobbies, whose ranks change at each call of `turn`. */
function turningNetwork() {
  const titles = Array.from({ length: GAMES }, (_, index) =>
    title((index + 1).toString(16).padStart(8, '0'), `Game ${String(index).padStart(2, '0')}`),
  );
  const known = network({ titles });
  let turns = 0;
  const turn = () => {
    turns += 1;
    const ranked = turned(titles, turns);
    known.activity = {
      slot: formatInstant(known.newest),
      titles: ranked.map(({ titleId, name }, index) => activity(titleId, GAMES - index, [`Host of ${name}`])),
    };
    known.openLobbies = ranked.map(({ titleId, name: gameName }) => ({
      ...{ id: titleId, titleId, gameName, hostName: `Host of ${gameName}`, currentPlayers: 6, maxPlayers: 8 },
      ...{ openedAt: formatTimestamp(known.newest - 1500), timestamp: formatTimestamp(known.newest) },
    }));
  };
  turn();
  return { known, turn };
}

/** Each second block of items changes its place with the block before it, at each second turn. */
function turned<Item>(items: readonly Item[], turns: number): Item[] {
  if (turns % 2 === 0) return [...items];
  const blocks = Array.from({ length: items.length / BLOCK }, (_, index) =>
    items.slice(index * BLOCK, (index + 1) * BLOCK),
  );
  return blocks.flatMap((_, index) => blocks[index ^ 1] ?? []);
}

describe.each(READERS)('a reader with a %s', (_name, options) => {
  it.each(['/', '/live', '/games'])('stays at their place on %s while rows change their order', async (path) => {
    const { known, turn } = turningNetwork();
    const { url, bus } = await runGateway({ network: known });
    const { evaluate } = await openPage(browser, url + path, options);
    for (let slot = 0; slot < 2; slot += 1) {
      turn();
      await bus.publish(slotStored, { slot: formatInstant(known.newest), online: slot, lobbies: null });
      await expectUnmoved(evaluate);
    }
  });

  it('stays at their place on a leaderboard while entries change their order', async () => {
    const names = Array.from({ length: GAMES }, (_, index) => `Player ${index}`);
    const { url } = await runBoardGateway({ names });
    const { evaluate } = await openPage(browser, url + BOARD_PAGE, options);
    for (let change = 0; change < 2; change += 1) {
      names.splice(0, GAMES, ...turned(names, 1));
      await expectUnmoved(evaluate);
    }
  });
});

/** Scrolls to a row that moves up, updates the page, and compares the position. */
async function expectUnmoved(evaluate: OpenedPage['evaluate']): Promise<void> {
  // Tables of plots are closed.
  const rows = `[...document.querySelectorAll('main tbody tr')].filter((row) => row.checkVisibility())`;
  await evaluate(`${rows}.slice(0, ${3 * BLOCK + 2}).at(-1).scrollIntoView()`);
  const before = await evaluate<number>('scrollY');
  expect(before).toBeGreaterThan(100);
  const firstRow = `document.querySelector('main tbody tr').textContent`;
  const shown = await evaluate<string>(firstRow);
  await evaluate(`document.querySelector('main').dispatchEvent(new Event('outdated'))`);
  await eventually(async () => expect(await evaluate(firstRow)).not.toBe(shown));
  // The browser adjusts the position when it lays the page out.
  await evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
  expect(Math.abs((await evaluate<number>('scrollY')) - before)).toBeLessThanOrEqual(TOLERANCE);
}
