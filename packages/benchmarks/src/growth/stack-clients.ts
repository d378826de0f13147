import { operations, streamEvents } from '@lobbystats/contracts';
import { formatLatencies } from '../benchmark.ts';
import { requestOf, sendLoad, startLoad } from '../peers/load.ts';
import type { ReadersCommand, ReadersReply } from '../stream-commands.ts';
import { nextMessage, sendRequest, startChild } from '../stream-processes.ts';
import type { GrowthStack } from './growth-stack.ts';
import type { PartContext } from './part.ts';

/** At 1x. Each client sends a request a minute. */
const CLIENTS = 2000;
/** At 1x. */
export const STREAMS = 500;
const CONNECTIONS = 400;
const SECONDS = 60;
const GAMES = 50;

/** Readers of the live stream, spread over the published ports. */
export async function openStreams({ stack: disposables }: PartContext, { ports }: GrowthStack, streams: number) {
  const readers = ports.map((port) => ({
    url: `http://127.0.0.1:${port}${streamEvents.path}`,
    process: startChild('stream-readers-main.ts', [], undefined, disposables),
  }));
  const count = Math.ceil(streams / ports.length);
  for (const { url, process } of readers) await sendRequest(process, { do: 'connect', name: 'stack', url, count });
  return {
    /** Resolves when every reader has received a slot's event. */
    nextSlot: () => Promise.all(readers.map(({ process }) => expectEvent(process))),
  };
}

function expectEvent(readers: ReturnType<typeof startChild>): Promise<unknown> {
  readers.send({ do: 'expect', name: 'stack' } satisfies ReadersCommand);
  return nextMessage<Extract<ReadersReply, { last: string }>>(readers);
}

export async function openPolls({ scale, stack: disposables, measure, say }: PartContext, stack: GrowthStack) {
  const load = startLoad(disposables, 'any');
  const [port = 0] = stack.ports;
  const requests = await requestsOf(port);
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
        ...{ port, connections: CONNECTIONS, seconds: SECONDS, requests, status: 200 },
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

/** Requests of what clients poll: the home page, the newest values, and series and leaderboards of games. */
async function requestsOf(port: number): Promise<string[]> {
  const read = (path: string) => fetch(`http://127.0.0.1:${port}${path}`);
  const { games } = (await (await read(`${operations.listGames.path}?limit=${GAMES}`)).json()) as {
    games: { titleId: string }[];
  };
  const paths = games.flatMap(({ titleId }) => [
    ...['/', operations.getNow.path],
    `${operations.getTitleOnlineHistory.path.replace(':titleId', titleId)}?hours=24`,
    operations.listLeaderboards.path.replace(':titleId', titleId),
  ]);
  const found: string[] = [];
  // Some titles have no leaderboards.
  for (const path of paths) if ((await read(path)).ok) found.push(path);
  return found.map((path) => requestOf(path));
}
