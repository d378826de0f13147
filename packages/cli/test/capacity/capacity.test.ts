import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { defaultWorld } from '@lobbystats/simulator';
import fc from 'fast-check';
import { capacityOf } from '../../src/capacity/capacity.ts';
import { documentTables, type Table } from '../../src/capacity/capacity-tables.ts';
import { DEFAULT_SIZE, timesDefault, type NetworkSize } from '../../src/capacity/network-size.ts';
import { run } from '../../testing/run-captured.ts';

const DOCUMENT = readFileSync(join(import.meta.dirname, '../../../../docs/capacity.md'), 'utf8');
const capacity = (...args: string[]) => run(['capacity', ...args], {}, () => 0);

const sizes = fc.record<NetworkSize>({
  titles: fc.nat(50_000),
  players: fc.nat(3_000_000),
  boards: fc.nat(500_000),
  entries: fc.nat(50_000_000),
  openMatches: fc.nat(20_000),
  clients: fc.nat(1_000_000),
  streams: fc.nat(100_000),
  maxRps: fc.integer({ min: 1, max: 1000 }),
});
const growing = fc.constantFrom('titles', 'players', 'boards', 'entries', 'openMatches', 'clients', 'streams');

/** Everything that a larger network needs more of, or gets less of (negative). */
function needsOf(size: NetworkSize): number[] {
  const { machines, requests, resources } = capacityOf(size);
  const { neededPerSecond, sentPerSecond, slotSeconds, boardShare } = requests;
  const ofResources = resources.flatMap((one) => [one.processors, one.memoryMb, one.diskMb, one.replicas]);
  return [machines, neededPerSecond, sentPerSecond, slotSeconds, -boardShare, ...ofResources];
}

describe('capacityOf', () => {
  it('needs no less of anything when one size grows', () => {
    fc.assert(
      fc.property(sizes, growing, fc.nat(1_000_000), (size, name, more) => {
        const before = needsOf(size);
        const after = needsOf({ ...size, [name]: size[name] + more });
        after.forEach((need, index) => expect(need).toBeGreaterThanOrEqual((before[index] ?? 0) - 1e-9));
      }),
    );
  });

  it('takes the default network of the simulator as 1x', () => {
    const { titles, players, boards, entries, openMatches } = DEFAULT_SIZE;
    expect(defaultWorld).toMatchObject({ titles, players, boards, entries, openMatches });
  });

  it('reads all leaderboards of the default network in an hour, and a part of a network ten times as large', () => {
    expect(capacityOf(DEFAULT_SIZE).requests).toMatchObject({ boardShare: 1, isSlotComplete: true });
    const large = capacityOf(timesDefault(10));
    expect(large.requests.boardShare).toBeGreaterThan(0.5);
    expect(large.requests.boardShare).toBeLessThan(1);
    expect(large.limiting.name).toBe('requests to the network');
    expect(capacityOf({ ...timesDefault(10), maxRps: 40 }).requests.boardShare).toBe(1);
  });
});

describe('docs/capacity.md', () => {
  it.each(Object.entries(documentTables()))('has the calculator’s table %s (npm run docs:generate)', (name, table) => {
    const [, block = ''] = new RegExp(`<!-- begin ${name} -->([^]*?)<!-- end ${name} -->`).exec(DOCUMENT) ?? [];
    expect(rowsOf(block)).toEqual(table);
  });
});

/** Cells of a Markdown table, without the line below the head. */
function rowsOf(markdown: string): Table {
  const lines = markdown.split('\n').filter((line) => line.startsWith('|') && !/^[|\s-]+$/.test(line));
  return lines.map((line) =>
    line
      .slice(1, -1)
      .split('|')
      .map((cell) => cell.trim()),
  );
}

describe('npx lobbystats capacity', () => {
  it('prints the needs of the default network', async () => {
    const { code, out, error } = await capacity();
    expect({ code, error }).toEqual({ code: 0, error: '' });
    expect(out).toMatch(/^Requests to the network +\d/);
    expect(out).toMatch(/^MongoDB +1 +/m);
  });

  it('prints JSON of the given size', async () => {
    const { code, out } = await capacity('--titles', '2000', '--open-matches', '800', '--max-rps', '40', '--json');
    expect(code).toBe(0);
    const size = { ...DEFAULT_SIZE, titles: 2000, openMatches: 800, maxRps: 40 };
    expect(JSON.parse(out)).toEqual(JSON.parse(JSON.stringify(capacityOf(size))));
  });

  it.each([
    [['--titles', '2k'], 'capacity: titles must be an integer from 0 to 1000000000, not 2k\n'],
    [['--max-rps', '0'], 'capacity: maxRps must be an integer from 1 to 1000000000, not 0\n'],
  ])('exits with 2 for %j', async (args, error) => {
    expect(await capacity(...args)).toEqual({ code: 2, out: '', error });
  });
});
