import { startGrowthStack, type GrowthStack } from './growth-stack.ts';
import type { Part } from './part.ts';
import { openPolls, openStreams, STREAMS } from './stack-clients.ts';

/** Their memory may grow with what they store. */
const CACHING_SERVERS = new Set(['influxdb', 'mongodb']);
/** Their memory grows with the streams. */
const STREAMING_SERVICES = ['gateway', 'nginx'];

/** The compose stack after its backfill, then all clients through its published port. */
export const stackPart: Part = {
  forms: ['stack'],
  run: async (context) => {
    const { scale, measure, say } = context;
    const streams = STREAMS * scale.factor;
    const stack = await startGrowthStack(context, { streams });
    const began = performance.now();
    const seconds = () => Math.round((performance.now() - began) / 1000);
    const titles = { what: 'titles', count: scale.titles };
    const measureMemory = (when: string, memory: ReadonlyMap<string, number>) => {
      for (const [service, mb] of memory) {
        const per = CACHING_SERVERS.has(service) ? { per: titles } : {};
        measure(`memory of ${service}${when}`, { unit: 'MB', amount: mb, ...per });
      }
    };
    measureMemory(' during the backfill', await stack.untilBackfilled());
    say(`backfilled after ${seconds()} s`);
    await stack.untilSettled();
    say(`settled after ${seconds()} s`);
    for (const [server, mb] of Object.entries(await stack.disks()))
      measure(`disk of ${server}`, { unit: 'MB', amount: mb, per: titles });

    const polls = await openPolls(context, stack);
    await polls.send('polls');
    const before = await memoryOf(stack);
    const readers = await openStreams(context, stack, streams);
    say(`${streams} streams are open`);
    const waiting = { isOver: false };
    const slot = readers.nextSlot().finally(() => (waiting.isOver = true));
    // A rejection is thrown after the polls.
    slot.catch(() => undefined);
    while (!waiting.isOver) await polls.send('polls beside the streams');
    await slot;
    say(`all ${streams} streams received the next slot's event`);
    const after = await memoryOf(stack);
    for (const service of STREAMING_SERVICES) {
      const amount = (after.get(service) ?? 0) - (before.get(service) ?? 0);
      measure(`memory of ${service} for the streams`, { unit: 'MB', amount, per: { what: 'streams', count: streams } });
    }
    measureMemory('', new Map([...after].filter(([service]) => !STREAMING_SERVICES.includes(service))));
  },
};

async function memoryOf({ figures }: GrowthStack): Promise<Map<string, number>> {
  const found = new Map<string, number>();
  for (const [service, { memoryMb }] of figures) found.set(service, await memoryMb());
  return found;
}
