import type { Page } from 'playwright-core';

const INTERVAL_MS = 500;
const MAX_PICTURES = 60;

/** Takes pictures until two in succession are equal: the page has loaded and drawn everything. @throws Error if none are */
export async function stablePicture(page: Page): Promise<Buffer> {
  let last = await page.screenshot();
  for (let count = 1; count < MAX_PICTURES; count += 1) {
    await page.waitForTimeout(INTERVAL_MS);
    const next = await page.screenshot();
    if (next.equals(last)) return next;
    last = next;
  }
  throw new Error('the page does not stop changing');
}
