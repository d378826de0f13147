import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { Browser } from 'playwright-core';

const PROGRAMS = ['chromium', 'chromium-browser', 'google-chrome'];

// Containers run as root without sandbox and GPU; the other flags disable background traffic of the browser.
export const CHROMIUM_FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** Playwright waits for 30 s by default, which a script may need on a busy machine. */
const WAIT_MS = 120_000;

/** `CHROMIUM_PATH` if set, else the first of chromium, chromium-browser and google-chrome in `PATH` and `/usr/bin`. */
export function findChromium(): string | undefined {
  const { CHROMIUM_PATH: chosen, PATH: path = '' } = process.env;
  if (chosen !== undefined && chosen !== '') return existsSync(chosen) ? chosen : undefined;
  const folders = [...path.split(delimiter).filter((folder) => folder !== ''), '/usr/bin'];
  return PROGRAMS.flatMap((program) => folders.map((folder) => join(folder, program))).find((file) => existsSync(file));
}

/** Starts a headless Chromium; the caller closes it. @throws Error if none is installed */
export async function launchChromium(): Promise<Browser> {
  const executablePath = findChromium();
  if (executablePath === undefined) throw new Error('Chromium is not installed: install it, or set CHROMIUM_PATH');
  const { chromium } = await import('playwright-core');
  const browser = await chromium.launch({ executablePath, headless: true, args: CHROMIUM_FLAGS });
  const newContext = browser.newContext.bind(browser);
  browser.newContext = async (options) => {
    const context = await newContext(options);
    context.setDefaultTimeout(WAIT_MS);
    return context;
  };
  return browser;
}
