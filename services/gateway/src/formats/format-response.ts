import type { RowFormat } from '@lobbystats/contracts';
import { variantTag } from '../cache/entity-tag.ts';
import type { LargeResponse, UpstreamResponse } from '../upstreams/upstreams.ts';
import { renderRowChunks, renderRows, type RowsRequest } from './render-rows.ts';

export type LargeRowsResponse = Omit<LargeResponse, 'length'>;

/**
 * Converts a buffered answer.
 *
 * @throws AppError `unavailable` for what isn't an answer of the operation
 */
export function formatResponse(asked: RowsRequest, answer: UpstreamResponse): UpstreamResponse {
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
export function formatLargeResponse(asked: RowsRequest, answer: LargeResponse): LargeRowsResponse {
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
  return etag === undefined ? undefined : variantTag(etag, format);
}

/** Adds the format to the link to the next page: upstreams don't receive it. */
function linkInFormat(link: string | undefined, format: RowFormat): string | undefined {
  return link?.replace(/^<([^>]*)>/, (_, url: string) => `<${url}${url.includes('?') ? '&' : '?'}format=${format}>`);
}
