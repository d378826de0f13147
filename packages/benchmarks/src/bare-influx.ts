import type { InfluxDB } from '@influxdata/influxdb-client';
import type { SlotSnapshot } from '@lobbystats/series-api/snapshots';

/** A bucket and the official client. */
export interface BareInflux {
  client: InfluxDB;
  org: string;
  bucket: string;
}

/** Writes all lines in one request, with times in seconds. */
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

/** Line protocol of a slot, without the times of hosts. */
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
