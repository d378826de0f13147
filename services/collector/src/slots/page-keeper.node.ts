import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import type { EpochSeconds } from '@lobbystats/contracts';
import type { KeptPages, PageKeeper } from './kept-pages.ts';

/** All that is kept, as gzip. */
const MAX_BYTES = 200_000_000;
/** One page. A network that sends larger ones can't use up the store within a slot. */
const MAX_PAGE_BYTES = 4_000_000;

export function createPageKeeper(store: KeptPages): PageKeeper {
  let untrimmed = 0;
  return {
    async keep(page, text, description) {
      const body = await promisify(gzip)(text);
      if (body.length > MAX_PAGE_BYTES) return;
      await store.put(page, body, description);
      untrimmed += body.length;
      if (untrimmed > MAX_BYTES / 20) await trim(0);
    },
    async text(page) {
      const body = await store.body(page);
      return body === undefined ? '' : (await promisify(gunzip)(body)).toString();
    },
    trim,
  };

  async function trim(before: EpochSeconds): Promise<void> {
    untrimmed = 0;
    await store.trim(before, MAX_BYTES);
  }
}
