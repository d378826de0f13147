import type { RowFormat } from '@lobbystats/contracts';
import { tagOfForm } from '../entity-tag.ts';
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
  const { body, etag, lastModified, link } = answer;
  const { format } = asked;
  return {
    body: renderRows(asked, body),
    etag: tagInFormat(etag, format),
    lastModified,
    link: linkInFormat(link, format),
  };
}

/** The same for a large one, which is rendered as it comes in. */
export function largeInFormat(asked: AskedRows, answer: LargeAnswer): LargeRows {
  const { etag, lastModified, link, chunks } = answer;
  return {
    lastModified,
    etag: tagInFormat(etag, asked.format),
    link: linkInFormat(link, asked.format),
    chunks: renderRowChunks(asked, chunks),
    discard: () => answer.discard(),
  };
}

function tagInFormat(etag: string | undefined, format: RowFormat): string | undefined {
  return etag === undefined ? undefined : tagOfForm(etag, format);
}

/** Owners are not told of the format: the way to the next page must bear it. */
function linkInFormat(link: string | undefined, format: RowFormat): string | undefined {
  return link?.replace(/^<([^>]*)>/, (_, url: string) => `<${url}${url.includes('?') ? '&' : '?'}format=${format}>`);
}
