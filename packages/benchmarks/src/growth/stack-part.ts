import { operations, streamEvents } from '@lobbystats/contracts';
import { formatLatencies } from '../benchmark.ts';
import { requestOf, sendLoad, startLoad } from '../peers/load.ts';
import type { ReadersCommand, ReadersReply } from '../stream-commands.ts';
import { nextMessage, sendRequest, startChild } from '../stream-processes.ts';
import { startGrowthStack, type GrowthStack } from './growth-stack.ts';
import type { Part, PartContext } from './part.ts';

/** At 1x. Each client sends a request a minute. */
const CLIENTS = 2000;
const STREAMS = 500;
const CONNECTIONS = 64;
const SECONDS = 60;
const GAMES = 50;

/** The compose stack after its backfill, then all clients through its published port. */
export const stackPart: Part = {
  forms: ['stack'],
  run: async (context) => {
    const { scale, measure, say } = context;
    const stack = await startGrowthStack(context);
    const began = performance.now();
    const highest = await stack.untilBackfilled();
    say(`backfilled after ${Math.round((performance.now() - began) / 1000)} s`);
    for (const [service, mb] of highest)
      measure(`memory of ${service} during the backfill`, { unit: 'MB', amount: mb });
    const titles = { what: 'titles', count: scale.titles };
    for (const [server, mb] of Object.entries(await stack.disks()))
      measure(`disk of ${server}`, { unit: 'MB', amount: mb, per: titles });

    const polls = await openPolls(context, stack);
    await polls.send('polls');
    const before = await memoryOf(stack);
    const streams = STREAMS * scale.factor;
    const readers = startChild('stream-readers-main.ts', [], undefined, context.stack);
    const url = `http://127.0.0.1:${stack.port}${streamEvents.path}`;
    await sendRequest(readers, { do: 'connect', name: 'stack', url, count: streams });
    say(`${streams} streams are open`);
    const slot = eventAtAll(readers);
    let isOver = false;
    void slot.then(() => (isOver = true));
    while (!isOver) await polls.send('polls beside the streams');
    say(`all ${streams} streams received the next slot's event`);
    const after = await memoryOf(stack);
    for (const [service, mb] of after) {
      if (service === 'gateway' || service === 'nginx')
        measure(`memory of ${service}, for the streams`, {
          ...{ unit: 'MB', amount: mb - (before.get(service) ?? 0) },
          per: { what: 'streams', count: streams },
        });
      measure(`memory of ${service}`, { unit: 'MB', amount: mb });
    }
  },
};

/** Resolves when every reader has received a slot's event. */
function eventAtAll(readers: ReturnType<typeof startChild>): Promise<unknown> {
  readers.send({ do: 'expect', name: 'stack' } satisfies ReadersCommand);
  return nextMessage<Extract<ReadersReply, { last: string }>>(readers);
}

async function memoryOf({ figures }: GrowthStack): Promise<Map<string, number>> {
  const found = new Map<string, number>();
  for (const [service, { memoryMb }] of figures) found.set(service, await memoryMb());
  return found;
}

async function openPolls({ scale, stack: disposables, measure, say }: PartContext, stack: GrowthStack) {
  const load = startLoad(disposables, 'any');
  const requests = await requestsOf(stack.port);
  const per = { what: 'titles', count: scale.titles };
  const measured = new Set<string>();
  const cpu = async () => {
    const times = new Map<string, number>();
    for (const [service, { cpuMs }] of stack.figures) times.set(service, await cpuMs());
    return times;
  };
  return {
    /** Sends the requests of a minute. Measures the first time with a name. */
    send: async (name: string) => {
      const before = await cpu();
      const result = await sendLoad(load, {
        ...{ port: stack.port, connections: CONNECTIONS, seconds: SECONDS, requests, status: 200 },
        ...{ perSecond: Math.round((CLIENTS * scale.factor) / 60), rejectionStatus: 503 },
      });
      const after = await cpu();
      const refused = result.rejected.filter(Boolean).length;
      say(`${name}: ${result.responses} responses, ${refused} rejected, ${formatLatencies(result.latenciesMs)}`);
      if (measured.has(name)) return;
      measured.add(name);
      for (const [service, ms] of after) {
        const spent = ms - (before.get(service) ?? 0);
        if (service === 'nginx' || service === 'gateway')
          measure(`${name}: ${service}, a response`, { unit: 'CPU ms', amount: spent / result.responses });
        else measure(`${name}: ${service}, a minute`, { unit: 'CPU ms', amount: spent, per });
      }
    },
  };
}

/** What clients poll: the home page, the newest values, and series and leaderboards of games. */
async function requestsOf(port: number): Promise<string[]> {
  const read = (path: string) => fetch(`http://127.0.0.1:${port}${path}`);
  const { games } = (await (await read(`${operations.listGames.path}?limit=${GAMES}`)).json()) as {
    games: { titleId: string }[];
  };
  const paths = games.flatMap(({ titleId }) => [
    ...['/', operations.getNow.path, operations.getLatestActivity.path],
    `${operations.getTitleOnlineHistory.path.replace(':titleId', titleId)}?hours=24`,
    operations.listLeaderboards.path.replace(':titleId', titleId),
  ]);
  const found: string[] = [];
  // Some titles have no leaderboards.
  for (const path of paths) if ((await read(path)).ok) found.push(path);
  return found.map((path) => requestOf(path));
}
