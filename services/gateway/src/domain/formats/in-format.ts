import type { RowFormat } from '@lobbystats/contracts';
import type { LargeAnswer, OwnerAnswer } from '../owners.ts';
import { renderRowChunks, renderRows, type AskedRows } from './render-rows.ts';

/** A large answer in another format: how long it is is known at its end. */
export type LargeRows = Omit<LargeAnswer, 'length'>;

/**
 * An owner's answer in another format.
 *
 * @throws AppError `unavailable` for what isn't an answer of the operation
 */
export function inFormat(asked: AskedRows, answer: OwnerAnswer): OwnerAnswer {
  return { ...answer, body: renderRows(asked, answer.body), link: linkInFormat(answer.link, asked.format) };
}

/** The same for a large one, which is rendered as it comes in. */
export function largeInFormat(asked: AskedRows, answer: LargeAnswer): LargeRows {
  const { etag, lastModified, link, chunks } = answer;
  return {
    lastModified,
    // The same bytes make the same rows.
    etag: etag?.replace(/"$/, `-${asked.format}"`),
    link: linkInFormat(link, asked.format),
    chunks: renderRowChunks(asked, chunks),
    discard: () => answer.discard(),
  };
}

/** Owners are not told of the format: the way to the next page must bear it. */
function linkInFormat(link: string | undefined, format: RowFormat): string | undefined {
  return link?.replace(/^<([^>]*)>/, (_, url: string) => `<${url}${url.includes('?') ? '&' : '?'}format=${format}>`);
}
