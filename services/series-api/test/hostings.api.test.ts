import { operations } from '@lobbystats/contracts';
import { DAY, HARBOR, NOW, RALLY, SLOT, type SlotSketch } from './observations.ts';
import { httpDate, runSeries, type RunningSeries } from './running-series.ts';

const hostPath = (player: string) => operations.getHost.path.replace(':player', encodeURIComponent(player));
const hosting = (titleId: string, ...hosts: string[]): SlotSketch => ({
  titles: { [titleId]: { matches: Object.fromEntries(hosts.map((host) => [host, 2])) } },
});

let series: RunningSeries;
beforeEach(async () => {
  series = await runSeries();
});
afterEach(async () => {
  await series.stop();
});

describe('host', () => {
  it('has the number of matches of 30 days, the first and the last time, and the last spelling', async () => {
    await series.observe(
      {
        [NOW - 31 * DAY]: hosting(HARBOR, 'Ember Fox'),
        [NOW - 2 * DAY]: hosting(HARBOR, 'ember fox'),
        [NOW - DAY]: hosting(RALLY, 'Ember Fox'),
        [NOW - SLOT]: hosting(HARBOR, 'EMBER FOX', 'Ada'),
      },
      { past: true },
    );
    const { status, headers, body } = await series.get(hostPath(' eMBER fox '));
    expect([status, body]).toEqual([
      200,
      { name: 'EMBER FOX', matchesHosted: 3, firstSeenAt: '2027-01-13 08:00:00', lastSeenAt: '2027-01-15 07:55:00' },
    ]);
    expect(headers.get('last-modified')).toBe(httpDate(NOW - SLOT));
  });

  it('is not seen in the future while the clock of the network is ahead', async () => {
    await series.observe({ [NOW]: hosting(HARBOR, 'Ada'), [NOW + SLOT]: hosting(HARBOR, 'Ada') });
    const { body } = await series.get(hostPath('Ada'));
    expect(body).toMatchObject({ matchesHosted: 1, lastSeenAt: '2027-01-15 08:00:00' });
  });

  it('without matches has none', async () => {
    const none = { name: null, matchesHosted: 0, firstSeenAt: null, lastSeenAt: null };
    for (const player of ['nobody', '__proto__', '$where', "'; DROP TABLE host", '<script>', '%', 'a\0b', '\u202e']) {
      const { status, body } = await series.get(hostPath(player));
      expect([player, status, body]).toEqual([player, 200, none]);
    }
  });

  it('with a name that is too long or empty is unknown', async () => {
    for (const player of ['x'.repeat(201), ' ']) {
      expect(await series.get(hostPath(player))).toMatchObject({ status: 404, body: { error: 'Unknown player' } });
    }
  });
});
