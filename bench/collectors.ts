import { SLOT_SECONDS } from '@lobbystats/contracts';
import { openBus, type MessageBus } from '@lobbystats/message-bus';
import { RabbitMqPlace } from '../packages/message-bus/test/rabbitmq-place.ts';
import { mongoSlots } from '../services/collector/test/mongo-slots.ts';
import { median, type Benchmark } from './benchmark.ts';
import { collectSlot, type CollectedSlot } from './collect-slot.ts';
import { areServersNamed } from './needed-servers.ts';

const COLLECTORS = 4;
const REQUESTS_PER_SECOND = 20;
const GRACE_SECONDS = 1.5;
const ROUNDS = 3;

/** The same slot by one collector, then by four that share its work: four times as fast, and no request more. */
export const collectors: Benchmark = {
  name: 'collectors',
  about: `one slot of 200 active titles by ${COLLECTORS} collectors, on RabbitMQ and MongoDB`,
  run: async (say) => {
    if (!areServersNamed(['rabbitmq', 'mongodb'], say)) return [];
    const slotMs = Math.ceil(Date.now() / (SLOT_SECONDS * 1000)) * SLOT_SECONDS * 1000;
    const one = await collect(slotMs, 1);
    say(`one collector: ${one.seconds.toFixed(2)} s for ${one.requests} requests`);
    const rounds: CollectedSlot[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const four = await collect(slotMs, COLLECTORS);
      say(`${COLLECTORS} collectors: ${four.seconds.toFixed(2)} s for ${four.requests} requests`);
      rounds.push(four);
    }
    const seconds = median(rounds.map((round) => round.seconds));
    const requests = Math.max(...rounds.map((round) => round.requests));
    const allowed = requests / (COLLECTORS * REQUESTS_PER_SECOND) + GRACE_SECONDS;
    return [
      {
        what: `a slot with ${one.titles} active titles`,
        measured: `${seconds.toFixed(2)} s`,
        against: `${allowed.toFixed(2)} s (requests / (${COLLECTORS} × allowed rate) + ${GRACE_SECONDS} s)`,
        ratio: seconds / allowed,
        bound: 1,
      },
      {
        what: `requests of ${COLLECTORS} collectors`,
        measured: String(requests),
        against: `one collector's ${one.requests}`,
        ratio: requests / one.requests,
        bound: 1,
      },
    ];
  },
};

/** In a vhost of its own and an empty database. */
async function collect(slotMs: number, count: number): Promise<CollectedSlot> {
  const place = await RabbitMqPlace.create();
  const slots = await mongoSlots('bench-collector');
  const buses: MessageBus[] = [];
  try {
    await slots.empty();
    return await collectSlot({
      slotMs,
      collectors: count,
      perSecond: REQUESTS_PER_SECOND,
      databaseUrl: slots.url,
      busOf: async (clock) => {
        const bus = await openBus({ url: place.url, origin: 'simulated', clock });
        buses.push(bus);
        return bus;
      },
    });
  } finally {
    await Promise.all(buses.map((bus) => bus.close()));
    await slots.empty();
    await place.remove();
  }
}
