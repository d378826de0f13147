import { createHmac } from 'node:crypto';
import { DAY_SECONDS, parseInstant, SLOT_SECONDS, slotOf, type PastPlayer } from '@lobbystats/contracts';
import { createSimulator } from '@lobbystats/simulator';
import { createHttpClient } from '@lobbystats/service-kit';
import { requestQueue } from '../services/collector/src/adapters/http/request-queue.ts';
import { createPlayerHistoryFeed } from '../services/collector/src/adapters/http/player-history-feed.ts';
import { createPoliteClient } from '../services/collector/src/adapters/http/polite-client.ts';
import { systemTime } from '../services/collector/src/adapters/time/system-time.ts';
import type { PlayerHistoryPart } from '../services/collector/src/domain/player-history.ts';
import type { PageParser } from '../services/collector/src/adapters/parser/page-parser.ts';
import { testParser } from '../services/collector/test/test-parser.ts';
import { silentTelemetry } from '../services/collector/test/silent-telemetry.ts';
import { readDefinitionsFile } from '../services/user-api/src/adapters/file/read-definitions-file.ts';
import { PeopleCatalog } from '../services/user-api/src/domain/people-catalog.ts';
import { readUserApiConfig } from '../services/user-api/src/service.ts';
import { median, type Benchmark, type Finding } from './benchmark.ts';
import { emptyOutbox } from './empty-outbox.ts';
import { peoplePlaces, type PeoplePlace } from './people-places.ts';

const ONLINE = 5000;
const PER_MESSAGE = 1000;
const SLOTS = 24;
const SLOT_CPU_LIMIT_MS = 200;
const DAYS = 7;
const WEEK_LIMIT_SECONDS = 60;
const PEOPLE = 25_000;

/** What play time costs: of a live slot, and of the past that a first start brings in. */
export const play: Benchmark = {
  name: 'play',
  about: `play time of a slot with ${ONLINE} players online, and of ${DAYS} days of ${PEOPLE} people, on SQLite and MongoDB`,
  run: async (say) => {
    const findings: Finding[] = [];
    for (const open of peoplePlaces(say)) {
      for (const measure of [measureSlots, measureWeek]) {
        const place = await open();
        try {
          findings.push(await measure(place));
        } finally {
          await place.remove();
        }
      }
    }
    return findings;
  },
};

async function catalogOf(place: PeoplePlace): Promise<PeopleCatalog> {
  const hash = (text: string) => createHmac('sha256', 'bench').update(text).digest('hex');
  return new PeopleCatalog({
    store: place.store.users,
    definitions: await readDefinitionsFile(
      readUserApiConfig({ FORGOTTEN_KEY: 'sixteen characters' }).ACHIEVEMENTS_FILE,
    ),
    nameHash: { user: (key) => hash(`user:${key}`), gamertag: (key) => hash(`gamertag:${key}`) },
    clock: Date.now,
    origin: 'simulated',
  });
}

/** Processor time of this process for one slot. The people are known already. */
async function measureSlots(place: PeoplePlace): Promise<Finding> {
  const catalog = await catalogOf(place);
  const first = slotOf(Date.now() / 1000) - SLOTS * SLOT_SECONDS;
  const times: number[] = [];
  for (let index = 0; index < SLOTS; index += 1) {
    const slot = first + index * SLOT_SECONDS;
    const began = process.cpuUsage();
    for (let from = 0; from < ONLINE; from += PER_MESSAGE) {
      const players = Array.from({ length: PER_MESSAGE }, (_, offset) => sighting(from + offset, slot));
      await catalog.observePlayers([{ at: slot, players }], false);
    }
    const { user, system } = process.cpuUsage(began);
    times.push((user + system) / 1000);
    await emptyOutbox(place.store);
  }
  // The first ones make the people, and warm it all up.
  const measured = median(times.slice(4));
  return {
    what: `${place.name}: processor time of a slot with ${ONLINE} players`,
    measured: `${measured.toFixed(0)} ms`,
    against: `${SLOT_CPU_LIMIT_MS} ms`,
    ratio: measured / SLOT_CPU_LIMIT_MS,
    bound: 1,
  };
}

function sighting(number: number, slot: number) {
  return {
    username: `Player ${number}`,
    gamertag: `Gamer ${number}`,
    verified: true,
    isOnline: true,
    titleId: `4d53${String(number % 200).padStart(4, '0')}`,
    game: 'Harbor Racing',
    lastSeenAt: slot,
  };
}

/** The past as the simulated network tells it. */
async function measureWeek(place: PeoplePlace): Promise<Finding> {
  const catalog = await catalogOf(place);
  const simulator = createSimulator({ players: PEOPLE });
  const { url } = await simulator.start();
  const parser = testParser();
  try {
    const to = slotOf(Date.now() / 1000);
    const history = pastOf(url, parser);
    let [slots, milliseconds] = [0, 0];
    let cursor: string | null = null;
    const parts: PlayerHistoryPart['players'][] = [];
    // All of it first: what is stored keeps the simulated network from answering, which is in this process.
    do {
      const part: PlayerHistoryPart | undefined = await history.part(to - DAYS * DAY_SECONDS, to, cursor);
      parts.push(part?.players ?? []);
      cursor = part?.next ?? null;
    } while (cursor !== null);
    for (const players of parts) {
      const began = performance.now();
      for (let first = 0; first < players.length; first += PER_MESSAGE) {
        const some = players.slice(first, first + PER_MESSAGE).map(inSeconds);
        const observed = await catalog.observePlay([{ at: to, players: some }], true);
        slots += observed.slots;
        await emptyOutbox(place.store);
      }
      milliseconds += performance.now() - began;
    }
    const seconds = milliseconds / 1000;
    return {
      what: `${place.name}: ${DAYS} past days, ${slots} slots of play time`,
      measured: `${seconds.toFixed(1)} s`,
      against: `${WEEK_LIMIT_SECONDS} s`,
      ratio: seconds / WEEK_LIMIT_SECONDS,
      bound: 1,
    };
  } finally {
    await parser.close();
    await simulator.stop();
  }
}

/** The past as a collector reads it. */
function pastOf(url: string, { parse }: PageParser) {
  const time = systemTime(Date.now);
  const stopping = new AbortController().signal;
  const client = createPoliteClient({
    client: createHttpClient({ timeoutMs: 60_000, maxBytes: 32 * 1024 * 1024 }),
    queue: requestQueue(1000),
    telemetry: silentTelemetry,
    time,
    stopping,
  });
  return createPlayerHistoryFeed({
    client,
    parse,
    time,
    url: `${url}/simulator/history/players`,
  });
}

/** A player as the handler of messages gives them on. */
function inSeconds({ spans, ...player }: PastPlayer) {
  return {
    ...player,
    spans: spans.map(({ titleId, from, to }) => ({ titleId, from: parseInstant(from), to: parseInstant(to) })),
  };
}
