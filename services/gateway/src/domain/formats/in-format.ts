import type { RowFormat } from '@lobbystats/contracts';
import { tagOfForm } from '../entity-tag.ts';
import type { LargeAnswer, OwnerAnswer } from '../owners.ts';
import { renderRowChunks, renderRows, type AskedRows } from './render-rows.ts';

export type LargeRows = Omit<LargeAnswer, 'length'>;

/**
 * Converts a buffered answer.
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

/** Converts a streaming answer. */
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

/** Upstreams don't know the format: the link to the next page must carry it. */
function linkInFormat(link: string | undefined, format: RowFormat): string | undefined {
  return link?.replace(/^<([^>]*)>/, (_, url: string) => `<${url}${url.includes('?') ? '&' : '?'}format=${format}>`);
}
