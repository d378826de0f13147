import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { cleanUp, eventually } from '@lobbystats/test-kit';
import { links } from '../src/site/links.ts';
import { readGuide, type GuideCode } from './guide-code.ts';
import { runGateway, type RunningGateway } from './running-gateway.ts';
import { publishSlot } from './stream-facts.ts';

const BASE = 'https://stats.example';
/** The client resolves from here. */
const FOLDER = join(import.meta.dirname, '..');

let gateway: RunningGateway;
let codes: GuideCode[];

beforeAll(async () => {
  gateway = await runGateway({ scope: 'file', env: { PUBLIC_URL: BASE, CACHE_BYTES: '1000000' } });
  codes = await readGuide(gateway, `${links.guide}?language=javascript`);
});

/** Runs a program of the guide against the gateway. */
function start({ text }: GuideCode) {
  const program = text.replaceAll(BASE, gateway.url);
  const child = spawn(
    process.execPath,
    ['--conditions=@lobbystats/source', '--no-warnings', '--input-type=module', '--eval', program],
    { cwd: FOLDER, stdio: ['ignore', 'pipe', 'pipe'] },
  );
  cleanUp(() => {
    child.kill();
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
  return { ended, output: () => output };
}

const EXPECTED = [
  ['start', '41 2\n'],
  ['paging', 'Harbor Racing\nRally\n'],
  ['time', expect.stringMatching(/^1\/15\/2027, .* 41\n$/)],
  ['caching', expect.stringMatching(/^\d+( \d+)?\n$/)],
  ['errors', '404 Unknown game\n'],
  ['versions', ''],
  ['politeness', '3\n'],
] as const;

describe('JavaScript of the guide', () => {
  it.each(EXPECTED)('runs: %s', async (id, expected) => {
    const programs = codes.filter(({ step }) => step === id);
    expect(programs).toHaveLength(2);
    for (const code of programs) {
      const { ended, output } = start(code);
      expect([code.language, await ended, output()]).toEqual([code.language, 0, expected]);
    }
  });

  it('follows the live stream', async () => {
    for (const code of codes.filter(({ step }) => step === 'streaming')) {
      const { output } = start(code);
      await eventually(async () => {
        await publishSlot(gateway.bus, 107);
        expect(output()).toMatch(/2026-01-31 18:05:00.*107/);
      });
    }
  });
});
