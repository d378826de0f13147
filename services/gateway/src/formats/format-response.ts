import { rowShape, type Operation, type RowFormat, type RowShape } from '@lobbystats/contracts';
import { variantTag } from '../cache/encoded-bodies.ts';
import { unavailable, type BodyStream, type UpstreamResponse, type Values } from '../upstreams/upstreams.ts';
import { csvText } from './csv.ts';
import { readRowBatches } from './row-stream.ts';

export interface RowsRequest {
  readonly operation: Operation;
  readonly query: Values;
  readonly format: RowFormat;
}

/**
 * Converts the rows of a JSON response.
 *
 * @throws AppError `unavailable` for what isn't a response of the operation; a stream throws it while it is read
 */
export function formatResponse(
  asked: RowsRequest,
  { body, etag, lastModified, link }: UpstreamResponse<Buffer | BodyStream>,
): UpstreamResponse<Buffer | BodyStream> {
  const { format } = asked;
  return {
    body: Buffer.isBuffer(body)
      ? renderRows(asked, body)
      : { chunks: renderRowChunks(asked, body.chunks), length: undefined, discard: () => body.discard() },
    etag: etag === undefined ? undefined : variantTag(etag, format),
    lastModified,
    // Upstreams don't receive the format: it is added to the link to the next page.
    link: link?.replace(/^<([^>]*)>/, (_, url: string) => `<${url}${url.includes('?') ? '&' : '?'}format=${format}>`),
  };
}

/**
 * Renders the rows of a JSON response in another format.
 *
 * @throws AppError `unavailable` for what isn't an answer of the operation
 */
export function renderRows(asked: RowsRequest, body: Buffer): Buffer {
  const shape = shapeOf(asked);
  const read = () => rowsIn(JSON.parse(body.toString()), shape.at);
  return orUnavailable(() => Buffer.from(textOf(shape, asked.format, read(), true)));
}

/**
 * Renders the rows of a streaming JSON response. Memory holds the rows of one chunk.
 *
 * @throws AppError `unavailable` for an invalid response, after the rows of earlier chunks
 */
export async function* renderRowChunks(
  asked: RowsRequest,
  chunks: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array, void> {
  const shape = shapeOf(asked);
  let isFirst = true;
  for await (const rows of readRowBatches(chunks, shape.at)) {
    const text = orUnavailable(() => textOf(shape, asked.format, rows, isFirst));
    isFirst = false;
    if (text !== '') yield Buffer.from(text);
  }
}

function shapeOf({ operation, query }: RowsRequest): RowShape {
  const shape = rowShape(operation, query);
  if (shape === undefined) throw new Error(`${operation.id} has no rows`);
  return shape;
}

function rowsIn(response: unknown, at: string): readonly unknown[] {
  const rows: unknown = at === '' ? response : (response as Readonly<Record<string, unknown>>)[at];
  if (!Array.isArray(rows)) throw new TypeError(`There are no rows in ${at}`);
  return rows;
}

function textOf(shape: RowShape, format: RowFormat, rows: readonly unknown[], isFirst: boolean): string {
  if (format === 'csv') return csvText(shape, rows, isFirst);
  return rows.map((row) => `${JSON.stringify(row)}\n`).join('');
}

function orUnavailable<Result>(work: () => Result): Result {
  try {
    return work();
  } catch (cause) {
    throw unavailable(cause);
  }
}
