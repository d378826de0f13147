import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { Browser, BrowserContext, ConsoleMessage, Page, Request, Response } from 'playwright-core';
import { noteFailedRequest } from './jest/failed-requests.ts';

const PROGRAMS = ['chromium', 'chromium-browser', 'google-chrome'];

/** Each window loads two pages of the address bar, which take as much processor time as a page of the site. */
const ADDRESS_BAR = ['WebUIOmniboxPopup', 'WebUIOmniboxAimPopup'];

// Chromium heeds the last list of features alone: this one replaces Playwright's, and includes what it turns off.
const DISABLED_FEATURES = [
  ...ADDRESS_BAR,
  'AimEnabled',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsFirstBalancedModeAutoEnable',
  'HttpsUpgrades',
  'LensOverlay',
  'MediaRouter',
  'NetworkTimeServiceQuerying',
  'OptimizationHints',
  'PaintHolding',
  'PreconnectToSearch',
  'ThirdPartyStoragePartitioning',
];

// Containers run as root without sandbox and GPU; the other flags disable background traffic of the browser.
export const CHROMIUM_FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  `--disable-features=${DISABLED_FEATURES.join(',')}`,
];

/** Playwright's own `serviceWorkers: 'block'` writes a warning to the console of each page. */
const WITHOUT_SERVICE_WORKERS =
  'if (self.ServiceWorkerContainer) ServiceWorkerContainer.prototype.register = async () => undefined';

/**
 * Error of requests that are connecting while the machine gets or loses an address. A container that another suite
 * starts does this to every Chromium beside it.
 */
const ADDRESS_CHANGED = 'net::ERR_NETWORK_CHANGED';

/** Playwright waits for 30 s by default, which a script may need on a busy machine. */
const WAIT_MS = 120_000;

/** `CHROMIUM_PATH` if set, else the first of chromium, chromium-browser and google-chrome in `PATH` and `/usr/bin`. */
export function findChromium(): string | undefined {
  const { CHROMIUM_PATH: chosen, PATH: path = '' } = process.env;
  if (chosen !== undefined && chosen !== '') return existsSync(chosen) ? chosen : undefined;
  const folders = [...path.split(delimiter).filter((folder) => folder !== ''), '/usr/bin'];
  return PROGRAMS.flatMap((program) => folders.map((folder) => join(folder, program))).find((file) => existsSync(file));
}

/**
 * Starts a headless Chromium; the caller closes it. Pages have no service worker unless their context allows it: Playwright
 * doesn't reliably intercept requests of a page that has one. @throws Error if none is installed
 */
export async function launchChromium(): Promise<Browser> {
  const executablePath = findChromium();
  if (executablePath === undefined) throw new Error('Chromium is not installed: install it, or set CHROMIUM_PATH');
  const { chromium } = await import('playwright-core');
  const browser = await chromium.launch({ executablePath, headless: true, args: CHROMIUM_FLAGS });
  const newContext = browser.newContext.bind(browser);
  browser.newContext = async (options) => {
    const context = await newContext(options);
    if (options?.serviceWorkers !== 'allow') await context.addInitScript(WITHOUT_SERVICE_WORKERS);
    context.setDefaultTimeout(WAIT_MS);
    noteFailures(context);
    repeatLoads(context);
    return context;
  };
  return browser;
}

/** Whether a message of the console is an error or a warning of the page. */
export function isPageFault(message: ConsoleMessage): boolean {
  return ['error', 'warning'].includes(message.type()) && !message.text().includes(ADDRESS_CHANGED);
}

function noteFailures(context: BrowserContext): void {
  context.on('response', (response) => {
    if (response.status() >= 400)
      noteFailedRequest(`${response.status()} ${response.request().method()} ${response.url()}`);
  });
  context.on('requestfailed', (request) => {
    noteFailedRequest(`${request.failure()?.errorText} ${request.method()} ${request.url()}`);
  });
}

/** Loads a page again when the load, or a request that it waited for, failed because an address of the machine changed. */
function repeatLoads(context: BrowserContext): void {
  const newPage = context.newPage.bind(context);
  context.newPage = async () => {
    const page = await newPage();
    const goto = page.goto.bind(page);
    const reload = page.reload.bind(page);
    page.goto = (url, options) => untilLoaded(page, () => goto(url, options));
    page.reload = (options) => untilLoaded(page, () => reload(options));
    return page;
  };
}

async function untilLoaded(page: Page, load: () => Promise<Response | null>): Promise<Response | null> {
  for (;;) {
    const failed: Request[] = [];
    const noteFailure = (request: Request) => {
      if (request.failure()?.errorText === ADDRESS_CHANGED) failed.push(request);
    };
    page.on('requestfailed', noteFailure);
    try {
      const response = await load();
      if (failed.length === 0) return response;
    } catch (error) {
      if (failed.length === 0) throw error;
    } finally {
      page.off('requestfailed', noteFailure);
    }
  }
}
