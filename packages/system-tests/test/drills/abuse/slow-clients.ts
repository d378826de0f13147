import { connect, type Socket } from 'node:net';
import { operations } from '@lobbystats/contracts';
import { eventually } from '@lobbystats/test-kit';
import { expect } from 'expect';
import type { SharedDrill } from '../drill.ts';
import type { Stage } from '../stages/stage.ts';
import { millisecondsOf, quantile } from './timing.ts';

const SOCKETS = 1000;
/** Large bodies of one address for which nginx waits, at whatever rate they come. */
const WAITING_MAX = 16;
/** 6 s plus a margin for a machine that is busy with 1,000 sockets. */
const CLOSED_WITHIN_MS = 7000;
const BYTE_EVERY_MS = 500;
const PARTS = 50;
const SAMPLES = 200;
/** Noise of the machine. */
const FLOOR_MS = 25;

const PATH = operations.getOnlineSummary.path;
const BEGINNINGS = [
  'G',
  `GET ${PATH} HTTP/1.1\r\nHost: x\r\nX-Slow: `,
  `GET ${PATH} HTTP/1.1\r\n`,
  `POST ${operations.searchByRanks.path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 60000\r\n\r\n{`,
];

export const slowClients: SharedDrill = {
  number: 17,
  name: 'a thousand slow clients',
  on: 'either',
  run: async (stage) => {
    const before = quantile(await sampleLatencies(stage), 0.99);
    const sockets = await Promise.all(Array.from({ length: SOCKETS }, () => openConnection(stage.url)));
    let closedCount = 0;
    let lastClosedMs = 0;
    const began = performance.now();
    for (const [index, socket] of sockets.entries()) {
      socket.once('close', () => {
        closedCount += 1;
        lastClosedMs = performance.now() - began;
      });
      socket.resume();
      socket.write(BEGINNINGS[index % BEGINNINGS.length] ?? 'G');
    }
    // A part of the sockets at a time: all at once would delay this process, which measures.
    let part = 0;
    const dripping = setInterval(() => {
      for (let i = part; i < SOCKETS; i += PARTS) if (sockets[i]?.writable === true) sockets[i]?.write('a');
      part = (part + 1) % PARTS;
    }, BYTE_EVERY_MS / PARTS);
    try {
      const during = quantile(await sampleLatencies(stage), 0.99);
      const areClosed = () => expect(closedCount).toBeGreaterThanOrEqual(SOCKETS - WAITING_MAX);
      await eventually(areClosed, { timeoutMs: 20_000, everyMs: 50 });
      const after = quantile(await sampleLatencies(stage), 0.99);
      const measured = `others' p99 ${before.toFixed(1)} ms before, ${during.toFixed(1)} ms during, ${after.toFixed(1)} ms after; ${closedCount} of ${SOCKETS} gone after ${(lastClosedMs / 1000).toFixed(1)} s`;
      if (during > 2 * Math.max(before, after) + FLOOR_MS || lastClosedMs > CLOSED_WITHIN_MS) throw new Error(measured);
      return [measured];
    } finally {
      clearInterval(dripping);
      for (const socket of sockets) socket.destroy();
    }
  },
};

async function sampleLatencies(stage: Stage): Promise<number[]> {
  const times: number[] = [];
  for (let i = 0; i < SAMPLES; i += 1) {
    times.push(await millisecondsOf(async () => expect((await stage.request(PATH)).status).toBe(200)));
  }
  return times;
}

function openConnection(url: string): Promise<Socket> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  return new Promise((resolve, reject) => {
    socket.once('error', reject);
    socket.once('connect', () => {
      socket.on('error', () => undefined);
      resolve(socket);
    });
  });
}
