import { setTimeout as pause } from 'node:timers/promises';

const INTERVAL_MS = 500;
const MAX_PICTURES = 60;

/** Takes pictures until two in succession are equal: the page has loaded and drawn everything. @throws Error if none are */
export async function stablePicture(take: () => Promise<Buffer>): Promise<Buffer> {
  let last = await take();
  for (let count = 1; count < MAX_PICTURES; count += 1) {
    await pause(INTERVAL_MS);
    const next = await take();
    if (next.equals(last)) return next;
    last = next;
  }
  throw new Error('the page does not stop changing');
}
