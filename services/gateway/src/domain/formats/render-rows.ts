import { rowShape, type Operation, type RowFormat } from '@lobbystats/contracts';
import { unavailable, type Values } from '../owners.ts';
import { RowRenderer } from './row-renderer.ts';

/** The rows of what was asked, and in which format. */
export interface AskedRows {
  readonly operation: Operation;
  /** Canonical. */
  readonly query: Values;
  readonly format: RowFormat;
}

/**
 * The rows of an answer's JSON in another format.
 *
 * @throws AppError `unavailable` for what isn't an answer of the operation
 */
export function renderRows(asked: AskedRows, body: Buffer): Buffer {
  const renderer = rowRenderer(asked);
  return orUnavailable(() => {
    const rows = renderer.push(body);
    renderer.end();
    return rows;
  });
}

/**
 * The same for an answer that comes in piece by piece: no more of it is held than a piece and a row.
 *
 * @throws AppError `unavailable`, after all rows that were sound, for what isn't an answer of the operation
 */
export async function* renderRowChunks(
  asked: AskedRows,
  chunks: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array, void> {
  const renderer = rowRenderer(asked);
  for await (const chunk of chunks) {
    const rows = orUnavailable(() => renderer.push(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength)));
    if (rows.length > 0) yield rows;
  }
  orUnavailable(() => renderer.end());
}

function rowRenderer({ operation, query, format }: AskedRows): RowRenderer {
  const shape = rowShape(operation, query);
  if (shape === undefined) throw new Error(`${operation.id} has no rows`);
  return new RowRenderer(shape, format);
}

function orUnavailable<Result>(work: () => Result): Result {
  try {
    return work();
  } catch (cause) {
    throw unavailable(cause);
  }
}
