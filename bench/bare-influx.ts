import type { InfluxDB } from '@influxdata/influxdb-client';
import type { SlotSnapshot } from '../services/series-api/src/domain/snapshots.ts';

/** A bucket, as the official client alone has it. */
export interface BareInflux {
  client: InfluxDB;
  org: string;
  bucket: string;
}

/** Writes lines with seconds for times as the official client does it best: one request, awaited. */
export async function bareWrite({ client, org, bucket }: BareInflux, lines: string[]): Promise<void> {
  const api = client.getWriteApi(org, bucket, 's', {
    maxRetries: 0,
    flushInterval: 0,
    batchSize: lines.length + 1,
    gzipThreshold: Infinity,
  });
  api.writeRecords(lines);
  await api.flush();
}

/** The lines of a slot as anybody would write them: hosts' times are of no matter to the writing. */
export function bareLines({ site, titles, matches }: SlotSnapshot): string[] {
  const { slot } = site;
  return [
    ...titles.map(
      ({ titleId, online, sessions, players, lobbies, lobbyPlayers }) =>
        `title,titleId=${titleId} online=${online}i,sessions=${sessions}i,players=${players}i,lobbies=${lobbies ?? 0}i,lobbyPlayers=${lobbyPlayers ?? 0}i ${slot}`,
    ),
    ...matches.map(
      ({ titleId, host, players, maxPlayers }) =>
        `match,titleId=${titleId} host="${host}",players=${players}i,maxPlayers=${maxPlayers}i ${slot}`,
    ),
    `site online=${site.online}i,missing=0i,lobbies=${site.lobbies ?? 0}i ${slot}`,
  ];
}
