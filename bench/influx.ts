import { InfluxDB } from '@influxdata/influxdb-client';
import { DAY_SECONDS, MATCH_GAP_SECONDS, SLOT_SECONDS, slotOf } from '@lobbystats/contracts';
import { testServers } from '@lobbystats/test-kit';
import { BUCKET_RULES } from '../services/series-api/src/adapters/influx/buckets.ts';
import type { SeriesStore } from '../services/series-api/src/domain/series-store.ts';
import type { SlotSnapshot } from '../services/series-api/src/domain/snapshots.ts';
import { testBuckets } from '../services/series-api/test/influx-buckets.ts';
import { bareLines, bareWrite, type BareInflux } from './bare-influx.ts';
import { sideBySide, type Benchmark, type Finding } from './benchmark.ts';
import { areServersNamed } from './needed-servers.ts';

const DAYS = 30;
const TITLES = 200;
const HOSTS = 80;
const BATCH = 256;
const INGEST_ROUNDS = 7;
const READ_ROUNDS = 40;
const WRITING_BOUND = 1.25;
const READING_BOUND = 1.2;
const NONE = { put: [], remove: [] };

/** Batches of slots, and 30 days of one title, beside the bare client that writes and reads the same. */
export const influx: Benchmark = {
  name: 'influx',
  about: `batches of ${BATCH} slots and a title's ${DAYS} days (8,640 points), on InfluxDB`,
  run: async (say) => {
    if (!areServersNamed(['influxdb'], say)) return [];
    const { url, org } = testServers().influxdb;
    const place = await testBuckets(BUCKET_RULES);
    const store = await place.open({ clock: Date.now, rules: BUCKET_RULES });
    const bare = { client: new InfluxDB({ url, token: place.token }), org, bucket: place.buckets.snapshots };
    try {
      return [await measureIngest(store, bare), await measureHistory(store, bare)];
    } finally {
      await store.close();
      await place.remove();
    }
  },
};

/** The store's commit against the client that is handed the same lines ready-made, into the same measurements. */
async function measureIngest(store: SeriesStore, bare: BareInflux): Promise<Finding> {
  const newest = slotOf(Date.now() / 1000);
  const slots = Array.from({ length: BATCH }, (_, age) => slotSnapshot(newest - age * SLOT_SECONDS));
  const lines = slots.flatMap(bareLines);
  const { ours, peer } = await sideBySide(
    INGEST_ROUNDS,
    () => store.commit({ slots, runs: NONE }),
    () => bareWrite(bare, lines),
  );
  return {
    what: 'a batch of slots',
    measured: `${ours.toFixed(0)} ms (${Math.round((BATCH / ours) * 1000)} slots/s)`,
    against: `the official client writing the same ${lines.length} lines ${peer.toFixed(0)} ms`,
    ratio: ours / peer,
    bound: WRITING_BOUND,
  };
}

async function measureHistory(store: SeriesStore, { client, bucket }: BareInflux): Promise<Finding> {
  const newest = slotOf(Date.now() / 1000);
  const period = { after: newest - DAYS * DAY_SECONDS + MATCH_GAP_SECONDS, until: newest };
  for (let slot = newest; slot > period.after; slot -= SLOT_SECONDS * BATCH) {
    const slots = Array.from({ length: BATCH }, (_, age) => slotSnapshot(slot - age * SLOT_SECONDS, 1, 0));
    await store.commit({ slots: slots.filter(({ site }) => site.slot > period.after), runs: NONE });
  }
  const titleId = titleIdOf(0);
  const [after, until] = [period.after, period.until].map((instant) => `${instant}000000000`);
  const q = `SELECT online FROM title WHERE titleId = '${titleId}' AND time > ${after} AND time <= ${until}`;
  const path = `/query?${new URLSearchParams({ db: bucket, epoch: 's', q }).toString()}`;
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
