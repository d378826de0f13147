import type { ChildProcess } from 'node:child_process';
import { setTimeout as wait } from 'node:timers/promises';
import { median, type Benchmark } from './benchmark.ts';
import type { ReadersCommand, ReadersReply, ServerReply } from './stream-commands.ts';
import { nextMessage, sendRequest, startChild } from './stream-processes.ts';

const READERS = 5000;
const FIRST_READERS = 1000;
const FACTS = 20;
const WARMING = 4;
const PAUSE_MS = 500;
const MEMORY_BOUND = 1.3;
const DELAY_BOUND = 1.5;
const SERVERS_CORE = '0';
const READERS_CORE = '1';

/** 5,000 readers of the gateway and 5,000 of bare node:http, with alternating events. */
export const stream: Benchmark = {
  name: 'stream',
  description: `${READERS} readers of the live stream, an event a second, beside bare node:http writing the same bytes`,
  promise: 'thousands of live readers cost about what writing their bytes costs',
  run: async (say) => {
    const stack = new DisposableStack();
    try {
      const readers = startChild('stream-readers-main.ts', [], READERS_CORE, stack);
      const [gateway, bare] = [await startServer('gateway', stack), await startServer('bare', stack)];
      const weights: number[] = [];
      for (const server of [gateway, bare]) {
        const { name, url } = server;
        // Memory that a process allocates once is not counted per reader.
        await sendRequest<ReadersReply>(readers, { do: 'connect', name, url, count: FIRST_READERS });
        await sendRequest<ReadersReply>(readers, { do: 'hang up', name });
        const before = await readMemoryBytes(server);
        await sendRequest<ReadersReply>(readers, { do: 'connect', name, url, count: READERS });
        for (let fact = 0; fact < WARMING; fact += 1) await delayMs(server, readers, fact, SAMPLE);
        weights.push(((await readMemoryBytes(server)) - before) / READERS);
        say(`${server.name}: ${READERS} are connected`);
      }
      const delays: [number[], number[]] = [[], []];
      let text = SAMPLE;
      for (let fact = 0; fact < FACTS; fact += 1) {
        const gatewayResult = await delayMs(gateway, readers, 1000 + fact, text);
        ({ text } = gatewayResult);
        const bareResult = await delayMs(bare, readers, 1000 + fact, text);
        delays[0].push(gatewayResult.ms);
        delays[1].push(bareResult.ms);
      }
      const [weight = 0, bareWeight = 0] = weights;
      const [delay, bareDelay] = [median(delays[0]), median(delays[1])];
      return [
        {
          what: `memory a reader, of ${READERS}`,
          measured: `${(weight / 1024).toFixed(1)} KB`,
          reference: `${(bareWeight / 1024).toFixed(1)} KB of bare node:http`,
          ratio: weight / bareWeight,
          bound: MEMORY_BOUND,
        },
        {
          what: `delay of the last of ${READERS}, from the fact's publication`,
          measured: `${delay.toFixed(0)} ms`,
          reference: `${bareDelay.toFixed(0)} ms of bare node:http`,
          ratio: delay / bareDelay,
          bound: DELAY_BOUND,
        },
      ];
    } finally {
      stack.dispose();
    }
  },
};

/** The event text before the first event of the gateway. */
const SAMPLE = 'id: 0123456789abcdef-1\nevent: online\ndata: {"slot":"2026-01-31 18:05:00","online":1,"lobbies":4}\n\n';

interface Server {
  name: string;
  url: string;
  process: ChildProcess;
}

async function startServer(name: 'gateway' | 'bare', stack: DisposableStack): Promise<Server> {
  const started = startChild('stream-server-main.ts', [name], SERVERS_CORE, stack);
  const { url } = await nextMessage<Extract<ServerReply, { url: string }>>(started);
  return { name, url, process: started };
}

/** Milliseconds until the last reader receives an event, and its text. */
async function delayMs(server: Server, readers: ChildProcess, number: number, text: string) {
  await wait(PAUSE_MS);
  readers.send({ do: 'expect', name: server.name } satisfies ReadersCommand);
  const arrived = nextMessage<Extract<ReadersReply, { last: string }>>(readers);
  const { began } = await sendRequest<Extract<ServerReply, { began: string }>>(server.process, {
    do: 'say',
    number,
    text,
  });
  const { last, text: heard } = await arrived;
  return { ms: Number(BigInt(last) - BigInt(began)) / 1e6, text: heard };
}

async function readMemoryBytes(server: Server): Promise<number> {
  return (await sendRequest<Extract<ServerReply, { bytes: number }>>(server.process, { do: 'weigh' })).bytes;
}
