import { fork, spawnSync, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { median, type Benchmark } from './benchmark.ts';
import type { ReadersOrder, ReadersReply, ServerOrder, ServerReply } from './stream-orders.ts';

const READERS = 5000;
const FIRST_READERS = 1000;
const FACTS = 20;
const WARMING = 4;
const PAUSE_MS = 500;
const MEMORY_BOUND = 1.3;
const DELAY_BOUND = 1.5;
const SERVERS_CORE = '0';
const READERS_CORE = '1';

/** 5,000 readers at the gateway and 5,000 at bare node:http, an event to the ones and to the others in turn. */
export const stream: Benchmark = {
  name: 'stream',
  about: `${READERS} readers of the live stream, an event a second, beside bare node:http writing the same bytes`,
  promise: 'thousands of live readers cost about what writing their bytes costs',
  run: async (say) => {
    const stack = new DisposableStack();
    try {
      const readers = child('stream-readers-main.ts', [], READERS_CORE, stack);
      const [gateway, bare] = [await serve('gateway', stack), await serve('bare', stack)];
      const weights: number[] = [];
      for (const server of [gateway, bare]) {
        const { name, url } = server;
        // What a process takes once, however many come, is no reader's.
        await ask<ReadersReply>(readers, { do: 'connect', name, url, count: FIRST_READERS });
        await ask<ReadersReply>(readers, { do: 'hang up', name });
        const before = await weigh(server);
        await ask<ReadersReply>(readers, { do: 'connect', name, url, count: READERS });
        for (let fact = 0; fact < WARMING; fact += 1) await delayMs(server, readers, fact, SAMPLE);
        weights.push(((await weigh(server)) - before) / READERS);
        say(`${server.name}: ${READERS} are connected`);
      }
      const delays: [number[], number[]] = [[], []];
      let text = SAMPLE;
      for (let fact = 0; fact < FACTS; fact += 1) {
        const ours = await delayMs(gateway, readers, 1000 + fact, text);
        ({ text } = ours);
        const theirs = await delayMs(bare, readers, 1000 + fact, text);
        delays[0].push(ours.ms);
        delays[1].push(theirs.ms);
      }
      const [weight = 0, bareWeight = 0] = weights;
      const [delay, bareDelay] = [median(delays[0]), median(delays[1])];
      return [
        {
          what: `memory a reader, of ${READERS}`,
          measured: `${(weight / 1024).toFixed(1)} KB`,
          against: `${(bareWeight / 1024).toFixed(1)} KB of bare node:http`,
          ratio: weight / bareWeight,
          bound: MEMORY_BOUND,
        },
        {
          what: `delay of the last of ${READERS}, from the fact's publication`,
          measured: `${delay.toFixed(0)} ms`,
          against: `${bareDelay.toFixed(0)} ms of bare node:http`,
          ratio: delay / bareDelay,
          bound: DELAY_BOUND,
        },
      ];
    } finally {
      stack.dispose();
    }
  },
};

/** What is said before the gateway's own words are known. */
const SAMPLE = 'id: 0123456789abcdef-1\nevent: online\ndata: {"slot":"2026-01-31 18:05:00","online":1,"lobbies":4}\n\n';

interface Server {
  name: string;
  url: string;
  process: ChildProcess;
}

async function serve(name: 'gateway' | 'bare', stack: DisposableStack): Promise<Server> {
  const started = child('stream-server-main.ts', [name], SERVERS_CORE, stack);
  const { url } = await nextWords<Extract<ServerReply, { url: string }>>(started);
  return { name, url, process: started };
}

/** Milliseconds until the last reader has an event, and the event's text. */
async function delayMs(server: Server, readers: ChildProcess, number: number, text: string) {
  await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  readers.send({ do: 'expect', name: server.name } satisfies ReadersOrder);
  const arrived = nextWords<Extract<ReadersReply, { last: string }>>(readers);
  const { began } = await ask<Extract<ServerReply, { began: string }>>(server.process, { do: 'say', number, text });
  const { last, text: heard } = await arrived;
  return { ms: Number(BigInt(last) - BigInt(began)) / 1e6, text: heard };
}

async function weigh(server: Server): Promise<number> {
  return (await ask<Extract<ServerReply, { bytes: number }>>(server.process, { do: 'weigh' })).bytes;
}

function ask<Reply>(asked: ChildProcess, order: ServerOrder | ReadersOrder): Promise<Reply> {
  const words = nextWords<Reply>(asked);
  asked.send(order);
  return words;
}

function nextWords<Reply>(from: ChildProcess): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const onExit = () => reject(new Error('A process of the benchmark has ended'));
    from.once('exit', onExit);
    from.once('message', (words) => {
      from.off('exit', onExit);
      resolve(words as Reply);
    });
  });
}

/** A process on a core of its own, where that can be had. */
function child(file: string, args: readonly string[], core: string, stack: DisposableStack): ChildProcess {
  const started = fork(join(import.meta.dirname, file), args, { execArgv: ['--expose-gc'] });
  stack.defer(() => started.kill('SIGKILL'));
  spawnSync('taskset', ['-a', '-cp', core, String(started.pid)]);
  return started;
}
