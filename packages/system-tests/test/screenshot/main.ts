import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { operations } from '@lobbystats/contracts';
import { createSimulator } from '@lobbystats/simulator';
import { readStandaloneConfig } from '@lobbystats/standalone/config';
import { createSystem } from '@lobbystats/standalone/system';
import { eventually, launchChromium } from '@lobbystats/test-kit';
import { systemEnv } from '../standalone/run-system.ts';
import type { Page } from 'playwright-core';

// Takes the picture of the README: the home page of a system on the simulated network, with two days of history.
const PICTURE = join(import.meta.dirname, '../../../../docs/site.png');
const directory = mkdtempSync(join(tmpdir(), 'lobbystats-screenshot-'));
const simulator = createSimulator();
const { url: networkUrl } = await simulator.start();
const env = systemEnv(directory, networkUrl, {
  BACKFILL_DAYS: '2',
});
const system = createSystem(readStandaloneConfig(env), { write: () => undefined });
const browser = await launchChromium();
try {
  await system.start();
  await eventually(hasData, { timeoutMs: 600_000, everyMs: 1000 });
  const page = await browser.newPage({ viewport: { width: 1200, height: 800 }, colorScheme: 'light' });
  await page.goto(system.url());
  writeFileSync(PICTURE, await stablePicture(page));
  console.log(`The picture is in ${PICTURE}`);
} finally {
  await browser.close();
  await system.stop();
  await simulator.stop();
  rmSync(directory, { recursive: true, force: true });
}

/** @throws while the backfill isn't finished, or there is no live slot */
async function hasData(): Promise<void> {
  const { slot } = await read(operations.getNow);
  const { isBackfilling, backfill } = await read(operations.getStatus);
  if (slot === null || isBackfilling || backfill.length === 0) throw new Error('the data is not complete');
}

async function read<Op extends (typeof operations)['getNow' | 'getStatus']>({ path, response }: Op) {
  const answer = await fetch(system.url() + path);
  return response.parse(await answer.json()) as ReturnType<Op['response']['parse']>;
}

const INTERVAL_MS = 500;
const MAX_PICTURES = 60;

/** Takes pictures until two in succession are equal: the page has loaded and drawn everything. @throws Error if none are */
async function stablePicture(page: Page): Promise<Buffer> {
  let last = await page.screenshot();
  for (let count = 1; count < MAX_PICTURES; count += 1) {
    await page.waitForTimeout(INTERVAL_MS);
    const next = await page.screenshot();
    if (next.equals(last)) return next;
    last = next;
  }
  throw new Error('the page does not stop changing');
}
