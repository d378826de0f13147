import { InfluxDB } from '@influxdata/influxdb-client';
import { DAY_SECONDS, MATCH_GAP_SECONDS, SLOT_SECONDS, slotOf } from '@lobbystats/contracts';
import { testServers } from '@lobbystats/test-kit';
import { openInfluxSeriesStore } from '../services/series-api/src/adapters/influx/influx-series-store.ts';
import { provisionInflux } from '../services/series-api/src/adapters/influx/provision-influx.ts';
import type { SeriesStore } from '../services/series-api/src/domain/series-store.ts';
import type { SlotSnapshot } from '../services/series-api/src/domain/snapshots.ts';
import { sideBySide, type Benchmark, type Finding } from './benchmark.ts';

const DAYS = 30;
const TITLES = 200;
const HOSTS = 80;
const BATCH = 256;
const INGEST_ROUNDS = 7;
const READ_ROUNDS = 40;
const WRITING_BOUND = 1.25;
const READING_BOUND = 1.2;
const NONE = { put: [], remove: [] };
const buckets = { snapshots: 'bench-snapshots', daily: 'bench-daily' };

/** Batches of slots, and 30 days of one title, beside the bare client that writes and reads the same. */
export const influx: Benchmark = {
  name: 'influx',
  about: `batches of ${BATCH} slots and a title's ${DAYS} days (8,640 points), on InfluxDB`,
  run: async (say) => {
    if (process.env['TEST_INFLUXDB_URL'] === undefined) {
      say('left out: it needs a server in TEST_INFLUXDB_URL, TEST_INFLUXDB_TOKEN and TEST_INFLUXDB_ORG');
      return [];
    }
    const { url, token: adminToken, org } = testServers().influxdb;
    const { token } = await provisionInflux({ url, adminToken, org, buckets, log: say });
    const store = await openInfluxSeriesStore({ url, token, org, origin: 'bench', clock: Date.now, buckets });
    const client = new InfluxDB({ url, token });
    try {
      return [await measureIngest(store, client, org), await measureHistory(store, client)];
    } finally {
      await store.close();
      await removeBuckets(url, adminToken);
    }
  },
};

/** The store's commit against the client that is handed the same lines ready-made, into the same measurements. */
async function measureIngest(store: SeriesStore, client: InfluxDB, org: string): Promise<Finding> {
  const newest = slotOf(Date.now() / 1000);
  const slots = Array.from({ length: BATCH }, (_, age) => slotSnapshot(newest - age * SLOT_SECONDS));
  const lines = slots.flatMap(bareLines);
  const { ours, peer } = await sideBySide(
    INGEST_ROUNDS,
    () => store.commit({ slots, runs: NONE }),
    async () => {
      const api = client.getWriteApi(org, buckets.snapshots, 's', {
        maxRetries: 0,
        flushInterval: 0,
        batchSize: lines.length + 1,
        gzipThreshold: Infinity,
      });
      api.writeRecords(lines);
      await api.flush();
    },
  );
  return {
    what: 'a batch of slots',
    measured: `${ours.toFixed(0)} ms (${Math.round((BATCH / ours) * 1000)} slots/s)`,
    against: `the official client writing the same ${lines.length} lines ${peer.toFixed(0)} ms`,
    ratio: ours / peer,
    bound: WRITING_BOUND,
  };
}

async function measureHistory(store: SeriesStore, client: InfluxDB): Promise<Finding> {
  const newest = slotOf(Date.now() / 1000);
  const period = { after: newest - DAYS * DAY_SECONDS + MATCH_GAP_SECONDS, until: newest };
  for (let slot = newest; slot > period.after; slot -= SLOT_SECONDS * BATCH) {
    const slots = Array.from({ length: BATCH }, (_, age) => slotSnapshot(slot - age * SLOT_SECONDS, 1, 0));
    await store.commit({ slots: slots.filter(({ site }) => site.slot > period.after), runs: NONE });
  }
  const titleId = titleIdOf(0);
  const [after, until] = [period.after, period.until].map((instant) => `${instant}000000000`);
  const q = `SELECT online FROM title WHERE titleId = '${titleId}' AND time > ${after} AND time <= ${until}`;
  const path = `/query?${new URLSearchParams({ db: buckets.snapshots, epoch: 's', q }).toString()}`;
  const { ours, peer } = await sideBySide(
    READ_ROUNDS,
    () => store.titleOnline(titleId, period),
    () => client.transport.request(path, '', { method: 'GET' }) as Promise<unknown>,
  );
  return {
    what: `a title's ${DAYS} days`,
    measured: `${ours.toFixed(1)} ms`,
    against: `the bare client's read of the same rows ${peer.toFixed(1)} ms`,
    ratio: ours / peer,
    bound: READING_BOUND,
  };
}

function slotSnapshot(slot: number, titles = TITLES, hosts = HOSTS): SlotSnapshot {
  const age = slot / SLOT_SECONDS;
  return {
    site: { slot, online: age % 5000, registered: null, lobbies: hosts, missing: 0 },
    titles: Array.from({ length: titles }, (_, index) => {
      const counts = { online: (age * 7919 + index) % 500, sessions: 1, players: 3, lobbies: 1, lobbyPlayers: 4 };
      return { titleId: titleIdOf(index), ...counts };
    }),
    matches: Array.from({ length: hosts }, (_, index) => {
      return { slot, titleId: titleIdOf(index), host: `Host ${index}`, players: 4, maxPlayers: 8 };
    }),
  };
}

function titleIdOf(index: number): string {
  return (0x4d530000 + index).toString(16);
}

/** The lines of a slot as anybody would write them: hosts' times are of no matter to the writing. */
function bareLines({ site, titles, matches }: SlotSnapshot): string[] {
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

async function removeBuckets(url: string, token: string): Promise<void> {
  const headers = { authorization: `Token ${token}` };
  const remove = async (kind: string, isOurs: (one: Record<string, unknown>) => boolean) => {
    const found = (await (await fetch(`${url}/api/v2/${kind}?limit=100`, { headers })).json()) as Record<
      string,
      unknown
    >;
    const all = found[kind] as Record<string, unknown>[];
    for (const one of all.filter(isOurs)) {
      await fetch(`${url}/api/v2/${kind}/${String(one['id'])}`, { method: 'DELETE', headers });
    }
  };
  await remove('buckets', ({ name }) => Object.values(buckets).includes(String(name)));
  await remove('authorizations', ({ description }) => String(description).includes(buckets.snapshots));
}
