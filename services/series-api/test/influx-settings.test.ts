import { StartupError } from '@lobbystats/contracts/errors';
import fc from 'fast-check';
import { timeOf, timeOfHost } from '../src/database/lines.ts';
import { matchLine, siteLine, titleLine } from '../src/ingest/commits.queries.ts';
import { seriesApi } from '../src/service.ts';
import { HARBOR, NOW, SLOT } from './observations.ts';

describe('series-api with InfluxDB', () => {
  const open = (env: Record<string, string>) =>
    seriesApi.create(seriesApi.readConfig({ SERIES_URL: 'http://127.0.0.1:9', ...env }));

  it('refuses to start without a token and names the setting', async () => {
    await expect(open({})).rejects.toThrow(StartupError);
    await expect(open({})).rejects.toThrow(/INFLUX_TOKEN or INFLUX_TOKEN_FILE/);
  });
});

describe('line protocol', () => {
  it('the time of a host is deterministic and lies within its slot', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (host) => {
        const time = BigInt(timeOfHost(NOW, host));
        expect(time).toBeGreaterThanOrEqual(BigInt(NOW) * 1_000_000_000n);
        expect(time).toBeLessThan(BigInt(NOW + SLOT) * 1_000_000_000n);
        expect(timeOfHost(NOW, host)).toBe(String(time));
      }),
    );
  });

  it('quotes and backslashes in host names are escaped', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (host) => {
        const line = matchLine({ slot: NOW, titleId: HARBOR, host, players: 1, maxPlayers: 2 });
        const quoted = line.slice(line.indexOf('"') + 1, line.lastIndexOf('"'));
        expect(quoted.replace(/\\[\\"]/g, '')).not.toMatch(/[\\"]/);
      }),
    );
  });

  it('writes nanosecond times and integer counts, and omits nulls', () => {
    const title = { titleId: HARBOR, online: 5, sessions: 2, players: 4, lobbies: 1, lobbyPlayers: 3 };
    expect(titleLine(title, timeOf(NOW))).toBe(
      `title,titleId=${HARBOR} lobbies=1i,lobbyPlayers=3i,online=5i,players=4i,sessions=2i ${NOW}000000000`,
    );
    expect(titleLine({ ...title, lobbies: null, lobbyPlayers: null }, timeOf(0))).toBe(
      `title,titleId=${HARBOR} online=5i,players=4i,sessions=2i 0`,
    );
    expect(siteLine({ slot: NOW, online: 7, registered: null, lobbies: null, missing: 0 })).toBe(
      `site missing=0i,online=7i ${NOW}000000000`,
    );
  });
});
