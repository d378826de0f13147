import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { Browser } from 'playwright-core';

const PROGRAMS = ['chromium', 'chromium-browser', 'google-chrome'];

// Root in a container has no sandbox and no GPU; the others keep the browser from talking to anyone but the page's server.
const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/**
 * The Chromium of this machine: `CHROMIUM_PATH` where that is set, else the first of chromium, chromium-browser and
 * google-chrome in the `PATH` and in `/usr/bin`. Undefined where there is none.
 */
export function findChromium(
  env: NodeJS.ProcessEnv = process.env,
  exists: (path: string) => boolean = existsSync,
): string | undefined {
  const { CHROMIUM_PATH: chosen, PATH: path = '' } = env;
  if (chosen !== undefined && chosen !== '') return exists(chosen) ? chosen : undefined;
  const folders = [...path.split(delimiter).filter((folder) => folder !== ''), '/usr/bin'];
  return PROGRAMS.flatMap((program) => folders.map((folder) => join(folder, program))).find(exists);
}

/**
 * Starts the machine's Chromium, headless; the caller closes it.
 *
 * @throws Error where there is none: a browser suite fails then, it never passes without its browser
 */
export async function launchChromium(): Promise<Browser> {
  const executablePath = findChromium();
  if (executablePath === undefined)
    throw new Error('There is no Chromium here: install one, or name it in CHROMIUM_PATH');
  const { chromium } = await import('playwright-core');
  return chromium.launch({ executablePath, headless: true, args: FLAGS });
}
