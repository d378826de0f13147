import { expect } from 'expect';
import type { LoneDrill } from '../drill.ts';
import { latencyText, openAlteredNetwork, SLOT } from '../stages/altered-network.ts';
import { quantile } from './timing.ts';

const BYTES = 2_000_000;
const P99_MS = 200;
/** Past the deadline at which a slot is closed. */
const CLOSED_SECONDS = 125;

/** Pages that cost a parser or a reader far more than their length. */
const SHAPES: readonly (readonly [name: string, html: string])[] = [
  ['nested elements round empty ones', page('<div>'.repeat(490), '<br>', '</div>'.repeat(490))],
  ['terms in one list', page('<dl>', '<dt>', '</dl>')],
  ['attributes of one tag', page(`<p ${attributes(BYTES)}>`, '', '</p>')],
  ['formatting elements that are opened again', page(formatting(400), '<p>', '')],
  ['nested tables', page('<table><tr><td>'.repeat(120), '<br>', '</td></tr></table>'.repeat(120))],
  ['labels of a counter', page('<div>', '<b>Users Online Now</b>', '</div>')],
  ['a long activity cell', page('<table><tr><th>Activity</th></tr><tr><td>x', ' in x', '</td></tr></table>')],
];

function page(before: string, repeated: string, after: string): string {
  const times = repeated === '' ? 0 : Math.max(0, Math.floor((BYTES - before.length - after.length) / repeated.length));
  return `<!doctype html><html><head><title>x</title></head><body>${before}${repeated.repeat(times)}${after}</body></html>`;
}

function attributes(bytes: number): string {
  return Array.from({ length: bytes / 10 }, (_, index) => `a${String(index).padStart(6, '0')}=1`).join(' ');
}

function formatting(count: number): string {
  return Array.from({ length: count }, (_, index) => `<font size=${index}>`).join('');
}

export const hostilePages: LoneDrill = {
  number: 33,
  name: 'pages that take for ever to parse',
  on: 'its own',
  run: async () => {
    const hostile = new Map<string, string>();
    const network = await openAlteredNetwork((path, world) => {
      if (hostile.size === 0) {
        const played = world.observe(SLOT).titles.filter(({ matches }) => matches.length > 0);
        for (const [index, [, html]] of SHAPES.entries()) hostile.set(`/games/${played[index]?.titleId ?? ''}`, html);
      }
      const html = hostile.get(path);
      return html === undefined
        ? undefined
        : (response) => response.writeHead(200, { 'Content-Type': 'text/html' }).end(html);
    });
    try {
      const others = network.world.observe(SLOT).titles.length - SHAPES.length;
      const isOver = async (): Promise<boolean> =>
        (await network.metric('pages_total', { page: 'game', outcome: 'read' })) >= others &&
        [...hostile.keys()].every((path) => network.asked(path) > 0) &&
        (await network.metric('pages_total', { page: 'game', outcome: 'not-understood' })) >= SHAPES.length;
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
        `${SHAPES.length} pages of 2 MB, ${terminated} of them ended by deadline or heap; ${others} other titles were read, the slot came without the ${SHAPES.length}`,
        `asked for: ${SHAPES.map(([name], index) => `${name} ${network.asked([...hostile.keys()][index] ?? '')}`).join(', ')} times`,
        latencyText(latencies),
      ];
      if (quantile(latencies, 0.99) > P99_MS) throw new Error(measured.join('\n'));
      return measured;
    } finally {
      await network.close();
    }
  },
};
