import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openBus } from '@lobbystats/service-kit/bus';
import { silentLogger } from '@lobbystats/service-kit';
import type { CollectorOverrides } from '../src/service.ts';
import { runCommand } from '../src/run-command.ts';
import { parseSavedPage } from '../src/try/saved-page.ts';
import { setStage, SLOT, type Stage } from './running-collector.ts';
import { sorted, expectedObservation } from './run-slots.ts';

let stage: Stage;
let directory: string;
beforeEach(async () => {
  stage = await setStage();
  directory = mkdtempSync(join(tmpdir(), 'collector-commands-'));
});
afterEach(async () => {
  await stage.close();
  rmSync(directory, { recursive: true });
});

interface CommandResult {
  /** The exit code, or overrides when it shall run as a service. */
  code: Awaited<ReturnType<typeof runCommand>>;
  out: string;
  err: string;
}

/** Runs a command against the stage. */
async function run(...args: string[]): Promise<CommandResult> {
  const { bus } = stage;
  return runWith({ bus }, {}, ...args);
}

/** Runs a command with additional overrides and environment variables. */
async function runWith(
  extraOverrides: CollectorOverrides,
  variables: Record<string, string>,
  ...args: string[]
): Promise<CommandResult> {
  const written = { out: '', err: '' };
  const output = { out: (text: string) => (written.out += text), error: (text: string) => (written.err += text) };
  const { store, clock } = stage;
  const overrides = { ...extraOverrides, store, clock: () => clock.nowMs, logger: silentLogger(), backoffMs: () => 5 };
  const env = {
    NETWORK_URL: stage.url,
    NETWORK_ORIGIN: 'simulated',
    NETWORK_CLOCK_TOLERANCE_SECONDS: '0',
    COLLECTOR_MAX_RPS: '1000',
    ...variables,
  };
  return { code: await runCommand(args, env, output, overrides), ...written };
}

const file = (name: string) => join(directory, name);
const publishedSlots = () => stage.slots.map(({ data }) => sorted(data));

describe('--once', () => {
  it('collects the current slot and prints a summary', async () => {
    const { code, out, err } = await run('--once');
    const { online, registered, titles } = expectedObservation(stage.world, SLOT);
    const lobbies = titles.reduce((sum, { matches }) => sum + (matches?.length ?? 0), 0);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toMatch(/^Slot 2026-01-15T18:05:00Z, collected in \d+\.\d s$/m);
    expect(out).toContain(`online ${online}, registered ${registered}, open lobbies ${lobbies}`);
    expect(out).toContain(`pages read ${titles.length + 1}, failed 0, requests ${titles.length + 1}`);
    await stage.until(() => stage.slots.length > 0);
    expect(publishedSlots()).toEqual([expectedObservation(stage.world, SLOT)]);
  });

  it('exits with 1 when the slot has been collected already', async () => {
    await run('--once');
    expect(await run('--once')).toEqual({
      code: 1,
      out: 'The slot 2026-01-15T18:05:00Z has been collected already: the next begins at 2026-01-15T18:10:00Z.\n',
      err: '',
    });
  });

  it('exits with 1 when the homepage is unavailable and with 2 when a title is missing', async () => {
    const [lost] = stage.world.observe(SLOT).titles.filter(({ sessions }) => sessions > 0);
    const overTime = async (isTime: () => Promise<boolean>): Promise<void> => {
      await stage.poll(isTime);
      stage.clock.nowMs += 125_000;
    };
    await stage.faults({ path: '/', kind: 'status', status: 500 });
    const isRefused = async () => (await stage.requests()).total > 5;
    const [missed] = await Promise.all([run('--once'), overTime(isRefused)]);
    expect(missed).toMatchObject({ code: 1, out: expect.stringContaining('was missed') });

    stage.clock.nowMs = (SLOT + 301) * 1000;
    await stage.faults({ path: `/games/${lost?.titleId}`, kind: 'status', status: 500 });
    const isLeft = async () => (await stage.store.slots.awaitedTitles(SLOT + 300)).length === 1;
    const [incomplete] = await Promise.all([run('--once'), overTime(isLeft)]);
    expect(incomplete).toMatchObject({ code: 2, out: expect.stringContaining('missing 1') });
  });
});

describe('--save', () => {
  it('saves each page with what network try needs to read it again', async () => {
    await run('--once', '--save', file('pages.ndjson'));
    const pages = readFileSync(file('pages.ndjson'), 'utf8').trimEnd().split('\n').map(parseSavedPage);
    const titles = stage.world.titlesAt(SLOT).map(({ titleId }) => titleId);
    expect(pages.map(({ source, values }) => [source, values['titleId']])).toEqual(
      expect.arrayContaining([['homepage', undefined], ...titles.map((titleId) => ['titles', titleId])]),
    );
    expect(pages).toHaveLength(titles.length + 1);
  });
});

describe('bus of a command', () => {
  const publish = async (...args: string[]) => {
    const { code, out } = await runWith({}, { DATA_DIR: directory, BUS_URL: '' }, ...args);
    expect({ code, out }).toEqual({
      code: 0,
      out: expect.stringMatching(`published to memory:${directory}/bus.sqlite`),
    });
  };

  it('defaults to the durable journal in DATA_DIR', async () => {
    await publish('--once');
    const journal = await openBus({ url: `memory:${directory}/bus.sqlite`, origin: 'simulated' });
    expect(await journal.depth('series-api')).toBe(1);
    await journal.close();
  });

  it('warns that BUS_URL=memory: publishes to no consumer', async () => {
    const expectedResult = { code: 0, out: expect.stringMatching(/published to no consumer/) };
    expect(await runWith({}, { BUS_URL: 'memory:' }, '--once')).toMatchObject(expectedResult);
  });

  it('is refused while another process uses the journal', async () => {
    const journal = await openBus({ url: `memory:${directory}/bus.sqlite`, origin: 'simulated' });
    expect(await runWith({}, { DATA_DIR: directory }, '--once')).toEqual({
      code: 1,
      out: '',
      err: expect.stringMatching(/^collector: The bus journal .* is in use by .*Stop that process, or .*\n$/),
    });
    await journal.close();
  });
});

describe('command line', () => {
  it.each([
    [['--help'], 0, /--save FILE/],
    [[], {}, /^$/],
    [['--save', 'x'], { saveTo: 'x' }, /^$/],
  ])('exits for %p with %p', async (args, code, out) => {
    expect(await run(...args)).toEqual({ code, out: expect.stringMatching(out), err: '' });
  });

  it.each([[['--ones']], [['now']], [['--save', '']], [['--save']]])(
    'rejects %p with a one-line error',
    async (args) => {
      expect(await run(...args)).toEqual({ code: 2, out: '', err: expect.stringMatching(/^collector: .+--help\n$/) });
    },
  );
});
