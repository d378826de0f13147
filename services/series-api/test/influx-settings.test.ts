import { RefusalError } from '@lobbystats/errors';
import fc from 'fast-check';
import { quoted, timeOfHost } from '../src/adapters/influx/line-protocol.ts';
import { createSeriesApi, readSeriesApiConfig } from '../src/service.ts';
import { NOW, SLOT } from './observations.ts';

describe('a series-api over InfluxDB', () => {
  const open = (env: Record<string, string>) =>
    createSeriesApi(readSeriesApiConfig({ SERIES_URL: 'http://127.0.0.1:9', ...env }));

  it('refuses to start without a token, and says what to set', async () => {
    await expect(open({})).rejects.toThrow(RefusalError);
    await expect(open({})).rejects.toThrow(/INFLUX_TOKEN or INFLUX_TOKEN_FILE/);
  });
});

describe('a line', () => {
  it('of a host stands within its slot, always at the same time', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (host) => {
        const time = BigInt(timeOfHost(NOW, host));
        expect(time).toBeGreaterThanOrEqual(BigInt(NOW) * 1_000_000_000n);
        expect(time).toBeLessThan(BigInt(NOW + SLOT) * 1_000_000_000n);
        expect(timeOfHost(NOW, host)).toBe(String(time));
      }),
    );
  });

  it('has no quote in a text that could end it', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(
          quoted(text)
            .slice(1, -1)
            .replace(/\\[\\"]/g, ''),
        ).not.toMatch(/[\\"]/);
      }),
    );
  });
});
