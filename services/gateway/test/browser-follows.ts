import type { Page } from 'playwright-core';
import { HARBOR } from './network.ts';

export const HARBOR_PAGE = `/game/${HARBOR.titleId}`;
export const GAME = { kind: 'game', id: HARBOR.titleId };
/** Key in localStorage of what a browser follows. */
export const FOLLOWS_KEY = 'lobbystats-follows';

/** Stores, on a page of the site, what its browser follows. */
export async function followHere(page: Page, follows: unknown): Promise<void> {
  await page.evaluate(`localStorage.setItem('${FOLLOWS_KEY}', ${JSON.stringify(JSON.stringify(follows))})`);
}

export async function followedHere(page: Page): Promise<unknown> {
  return page.evaluate(`JSON.parse(localStorage.getItem('${FOLLOWS_KEY}'))`);
}
