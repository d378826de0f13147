import type { Operation, RowFormat } from '@lobbystats/contracts';
import { entityTag, JSON_TYPE } from '@lobbystats/service-kit';
import { UnsharedResponse } from '../cache/unshared-response.ts';
import type { OriginResponse, CacheRequest } from '../cache/cache-request.ts';
import { strongTag } from '../cache/entity-tag.ts';
import { formatResponse, formatLargeResponse } from '../formats/format-response.ts';
import { isLargeResponse, type UpstreamResponse, type Upstreams, type Values } from '../upstreams/upstreams.ts';
import type { Composition } from './composition.ts';
import { chooseFormat, rowHeaders } from '../formats/choose-format.ts';
import { detachFromPool } from '../cache/compress.server.ts';

export interface ParsedRequest {
  readonly operation: Operation;
  readonly params: Values;
  readonly query: Values;
  readonly body?: unknown;
  readonly sessionKey?: string | undefined;
}

/**
 * Creates a function that fetches a response from the upstream or a composition, in the requested format.
 *
 * @returns a function that throws AppError as upstreams do
 */
export function createOriginFetch(
  request: ParsedRequest,
  upstreams: Upstreams,
  compose: Composition | undefined,
): CacheRequest['fetch'] {
  const { operation, params, body, sessionKey } = request;
  const { format, query } = chooseFormat(request.query);
  return async () => {
    const answer =
      compose === undefined
        ? await upstreams.fetchOrStream(operation, params, query, { body, sessionKey })
        : await compose({ params, query }, upstreams.withSharedDeadline());
    if (format === 'json') {
      const headers = contentTypeHeaders(operation, params);
      return isLargeResponse(answer)
        ? new UnsharedResponse(answer, originHeaders(answer, headers))
        : toOriginResponse(answer, headers);
    }
    const headers = contentTypeHeaders(operation, params, format);
    const asked = { operation, query, format };
    if (!isLargeResponse(answer)) return toOriginResponse(formatResponse(asked, answer), headers);
    const rows = formatLargeResponse(asked, answer);
    return new UnsharedResponse(rows, originHeaders(rows, headers));
  };
}

export function contentTypeHeaders(
  operation: Operation,
  params: Values,
  format?: RowFormat,
): Readonly<Record<string, string>> {
  if (format !== undefined) return rowHeaders(operation, params, format);
  return { 'Content-Type': operation.mediaType ?? JSON_TYPE };
}

export function toOriginResponse(answer: UpstreamResponse, ofBody: Readonly<Record<string, string>>): OriginResponse {
  const { body, etag } = answer;
  return {
    body: detachFromPool(body),
    tag: strongTag(etag) ?? entityTag(body),
    headers: originHeaders(answer, ofBody),
  };
}

function originHeaders(
  { lastModified, link }: Pick<UpstreamResponse, 'lastModified' | 'link'>,
  ofBody: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  return {
    ...ofBody,
    ...(lastModified !== undefined && { 'Last-Modified': lastModified }),
    ...(link !== undefined && { Link: link }),
  };
}
