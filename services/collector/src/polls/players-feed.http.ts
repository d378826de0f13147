import { SLOT_SECONDS } from '@lobbystats/contracts';
import { PageFailure } from '../network/page-failures.ts';
import type { PlayersReading, PlayersSource } from '../network/network.ts';
import { slotAt } from '../time/slot-times.ts';
import { urlOf } from '../sources/client/page-reader.http.ts';
import { reportFailures, type SiteParts } from '../sources/client/site-requests.http.ts';

export function createNetworkPlayers(parts: SiteParts): PlayersSource {
  const { client, pages, telemetry, forms, now, toleranceSeconds: leewaySeconds } = parts;
  const intervalSeconds = () => forms.players?.intervalSeconds ?? SLOT_SECONDS;

  return {
    get intervalSeconds() {
      return intervalSeconds();
    },
    poll: async (deadlineMs, publish) => {
      const url = urlOf(forms, { source: 'players', values: { since: null } });
      await reportFailures('players', url, parts, () => poll(url, deadlineMs, publish));
    },
  };

  /** The URL without a cursor names the stored one. */
  async function poll(url: string, deadlineMs: number, publish: Parameters<PlayersSource['poll']>[1]): Promise<void> {
    const cached = await pages.get(url);
    const since = cached === undefined ? null : (JSON.parse(cached.reading) as string | null);
    const reading = await read(deadlineMs, since).catch((error: unknown) => {
      // The cursor may be too old for the network: start again with the players that are online now.
      if (since !== null && error instanceof PageFailure && error.kind === 'rejected') return read(deadlineMs, null);
      throw error;
    });
    telemetry.pageRead('players', 'read');
    await publish(reading);
    await pages.put(url, { etag: null, lastModified: null, reading: JSON.stringify(reading.next) }, now());
  }

  async function read(deadlineMs: number, since: string | null): Promise<PlayersReading> {
    const seenAt = slotAt(now());
    // A stale cache would report players as online who were so earlier.
    const made = { first: seenAt - intervalSeconds(), leewaySeconds };
    const response = await client.ask({ source: 'players', values: { since }, seenAt, made }, { deadlineMs });
    if (response.kind !== 'read') throw new PageFailure('unavailable', 'The network answered 304 without being asked');
    return response.reading as PlayersReading;
  }
}
