import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseInstant, SLOT_SECONDS, type Message } from '@lobbystats/contracts';
import { silentLogger } from '@lobbystats/service-kit';
import { runCommand } from '../src/run-command.ts';
import { setStage, SLOT, sorted, type Stage } from './running-collector.ts';

const HOUR = Math.ceil(SLOT / 3600) * 3600;
const END = HOUR + 3600 + 900;

let stage: Stage;
let directory: string;
let file: string;
/** The pages that a collector saved until {@link END}, one per line. */
let recorded: string[];
/** The messages of the live collector. */
let live: PublishedMessages;

beforeAll(async () => {
  stage = await setStage({ titles: 4, openMatches: 2, boards: 12, boardChanges: 0.5 });
  directory = mkdtempSync(join(tmpdir(), 'collector-recorded-'));
  file = join(directory, 'pages.ndjson');
  const collector = await stage.collector({ saveTo: file });
  for (let slot = SLOT; slot < END; slot += SLOT_SECONDS) {
    stage.clock.nowMs = (slot + 1) * 1000;
    await collector.tick();
    await stage.until(() => stage.slots.some(({ data }) => parseInstant(data.slot) === slot));
    await stage.pagesRead();
  }
  await collector.stop();
  recorded = readFileSync(file, 'utf8').trimEnd().split('\n');
  live = publishedMessages(false);
});
afterAll(async () => {
  await stage.close();
  rmSync(directory, { recursive: true });
});
afterEach(() => {
  for (const messages of [stage.slots, stage.boards, stage.confirmed, stage.events, stage.players]) messages.length = 0;
});

type PublishedMessages = ReturnType<typeof publishedMessages>;

function publishedMessages(ofPast: boolean) {
  const dataOf = <Data>(messages: readonly Message<Data>[]) =>
    messages.filter(({ past }) => past === ofPast).map(({ data }) => data);
  return {
    slots: dataOf(stage.slots).map(sorted),
    boards: dataOf(stage.boards),
    confirmed: dataOf(stage.confirmed),
    events: dataOf(stage.events),
    players: dataOf(stage.players),
  };
}

/** Replays these lines; resolves when all their messages were consumed. */
async function replay(lines: readonly string[]): Promise<{ code: unknown; out: string }> {
  writeFileSync(file, lines.join('\n'));
  let out = '';
  const output = { out: (text: string) => (out += text), error: (text: string) => (out += text) };
  const env = { NETWORK_URL: stage.url, NETWORK_ORIGIN: 'simulated' };
  const { bus, clock } = stage;
  const overrides = { bus, clock: () => clock.nowMs, logger: silentLogger() };
  const code = await runCommand(['--replay', file], env, output, overrides);
  await stage.poll(async () => (await stage.bus.depth('catalog-api')) + (await stage.bus.depth('series-api')) === 0);
  await stage.poll(async () => (await stage.bus.depth('user-api')) === 0);
  return { code, out };
}

const isBoardPage = (line: string) => line.includes('/leaderboards/');

describe('replay of a recorded network', () => {
  it('publishes the same slots, leaderboards, confirmations, events and players as the live collector', async () => {
    expect(live.boards.length).toBeGreaterThan(12);
    expect(live.confirmed.length).toBeGreaterThan(0);
    expect(live.boards.some(({ board }) => (board?.entries.length ?? 0) > 100)).toBe(true);
    const feeds = recorded.filter((line) => line.includes('/feeds/players.json')).length + live.events.length;
    expect(await replay(recorded)).toEqual({
      code: 0,
      out: expect.stringContaining(
        `Replayed ${live.slots.length} slots (0 incomplete), ${live.boards.length} leaderboards and ${feeds} feeds`,
      ),
    });
    expectSameMessages(publishedMessages(true), live);
  });

  it('skips and reports a leaderboard with a missing page or without a title page that lists it', async () => {
    const { title, id } = longBoard();
    const isOfIt = (line: string) => line.includes(`/games/${title}/leaderboards/${id}?page=`);
    const lost = await replay(recorded.filter((line) => !isOfIt(line) || line.includes('?page=1"')));
    expect(lost.code).toBe(2);
    expect(lost.out).toContain(`the board ${id} of ${title} has no complete reading: skipped`);
    const nameless = await replay(recorded.filter(isOfIt));
    expect(nameless.code).toBe(1);
    expect(nameless.out).toContain(`the board ${id} of ${title} is not listed by a page of its title: skipped`);
  });

  it('publishes the last complete reading of a leaderboard whose first reading was torn', async () => {
    const { title, id, first, second } = longBoard();
    const names = stage.world.board(SLOT, title, Number(id))?.entries.map(({ name }) => name) ?? [];
    const [plain = ''] = names.filter((name) => /^\w{4,}$/.test(name));
    const other = recorded[first]?.replaceAll(plain, `${plain}, once`) ?? '';
    expect(other).not.toBe(recorded[first]);
    const torn = [other, recorded[second] ?? ''];
    const { code, out } = await replay([...recorded.slice(0, first), ...torn, ...recorded.slice(first)]);
    expect({ code, out }).toMatchObject({ code: 0 });
    expectSameMessages(publishedMessages(true), live);
  });
});

/** A board of several pages, and the lines of the first two pages of its first reading. */
function longBoard(): { title: string; id: string; first: number; second: number } {
  const second = recorded.findIndex((line) => isBoardPage(line) && line.includes('?page=2"'));
  const [, title = '', id = ''] = /games\/([0-9a-f]{8})\/leaderboards\/(\d+)/.exec(recorded[second] ?? '') ?? [];
  const first = recorded.findIndex((line) => line.includes(`/games/${title}/leaderboards/${id}?page=1"`));
  return { title, id, first, second };
}

/** Compares slots, events and players in order; boards of one slot in any order, since they are read concurrently. */
function expectSameMessages(
  { boards, confirmed, ...others }: PublishedMessages,
  { boards: before, confirmed: confirmedBefore, ...othersBefore }: PublishedMessages,
): void {
  expect(others).toEqual(othersBefore);
  expect(boards).toHaveLength(before.length);
  expect(new Set(boards)).toEqual(new Set(before));
  expect(confirmed).toHaveLength(confirmedBefore.length);
  expect(new Set(confirmed)).toEqual(new Set(confirmedBefore));
}
