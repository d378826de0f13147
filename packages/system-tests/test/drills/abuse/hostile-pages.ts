import { HOSTILE_SHAPES, hostilePage } from '@lobbystats/test-kit';
import { expect } from 'expect';
import type { SelfContainedDrill } from '../drill.ts';
import { latencyText, openAlteredNetwork, SLOT } from '../stages/altered-network.ts';
import { quantile } from './timing.ts';

const BYTES = 2_000_000;
const P99_MS = 200;
/** Past the deadline at which a slot is closed. */
const CLOSED_SECONDS = 125;

export const hostilePages: SelfContainedDrill = {
  number: 33,
  name: 'pages that take very long to parse',
  on: 'its own',
  run: async () => {
    const hostile = new Map<string, string>();
    const network = await openAlteredNetwork((path, world) => {
      if (hostile.size === 0) {
        const played = world.observe(SLOT).titles.filter(({ matches }) => matches.length > 0);
        for (const [index, shape] of HOSTILE_SHAPES.entries()) {
          hostile.set(`/games/${played[index]?.titleId ?? ''}`, hostilePage(shape, BYTES));
        }
      }
      const html = hostile.get(path);
      return html === undefined
        ? undefined
        : (response) => response.writeHead(200, { 'Content-Type': 'text/html' }).end(html);
    });
    try {
      const others = network.world.observe(SLOT).titles.length - HOSTILE_SHAPES.length;
      const isOver = async (): Promise<boolean> =>
        (await network.metric('pages_total', { page: 'game', outcome: 'read' })) >= others &&
        [...hostile.keys()].every((path) => network.requestCount(path) > 0) &&
        (await network.metric('pages_total', { page: 'game', outcome: 'unparseable' })) >= HOSTILE_SHAPES.length;
      const latencies = await network.healthUntil(isOver);
      const terminated = await network.metric('pages_terminated_total', { page: 'game' });
      network.setClock(CLOSED_SECONDS);
      latencies.push(
        ...(await network.healthUntil(
          async () => (await network.metric('slots_total', { outcome: 'incomplete' })) === 1,
        )),
      );
      expect(network.system.isRunning()).toBe(true);
      const measured = [
        `${HOSTILE_SHAPES.length} pages of 2 MB, ${terminated} of them ended by deadline or heap; ${others} other titles were read, the slot came without the ${HOSTILE_SHAPES.length}`,
        `asked for: ${HOSTILE_SHAPES.map((name, index) => `${name} ${network.requestCount([...hostile.keys()][index] ?? '')}`).join(', ')} times`,
        latencyText(latencies),
      ];
      if (quantile(latencies, 0.99) > P99_MS) throw new Error(measured.join('\n'));
      return measured;
    } finally {
      await network.close();
    }
  },
};
