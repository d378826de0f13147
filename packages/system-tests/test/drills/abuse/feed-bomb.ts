import { gzipSync } from 'node:zlib';
import { expect } from 'expect';
import type { SelfContainedDrill } from '../drill.ts';
import { latencyText, openAlteredNetwork } from '../stages/altered-network.ts';

const FEED = '/feeds/players.json';
const MEBIBYTE = 1024 * 1024;
const BOMB = gzipSync(`{"players":[${'{},'.repeat((64 * MEBIBYTE) / 3)}{}],"next":"1"}`);

export const feedBomb: SelfContainedDrill = {
  number: 34,
  name: 'a feed of 64 MiB',
  on: 'its own',
  run: async () => {
    const network = await openAlteredNetwork((path) =>
      path === FEED
        ? (response) => {
            response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' }).end(BOMB);
          }
        : undefined,
    );
    const unparseable = () => network.metric('pages_total', { page: 'players', outcome: 'unparseable' });
    try {
      const latencies = await network.healthUntil(
        async () => (await unparseable()) > 0 && (await network.metric('slots_total', { outcome: 'complete' })) === 1,
      );
      expect(network.system.isRunning()).toBe(true);
      expect([await unparseable(), network.requestCount(FEED)]).toEqual([1, 1]);
      return [
        `${BOMB.length} bytes that are 64 MiB: not understood, asked for once; the slot is complete; the process lives`,
        latencyText(latencies),
      ];
    } finally {
      await network.close();
    }
  },
};
