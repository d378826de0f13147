import { flushable, gen, none } from 'stream-chain/core';
import { fixUtf8Stream } from 'stream-chain/utils/fixUtf8Stream.js';
import { pick } from 'stream-json/core/filters/pick.js';
import { jsonParser, type parser, type Token } from 'stream-json/core/parser.js';
import { streamArray } from 'stream-json/core/streamers/stream-array.js';
import { unavailable } from '../upstreams/upstreams.ts';

/** Maximum size of a row. The parser would buffer a row that never ends until memory runs out. */
const ROW_BYTES_MAX = 256 * 1024;

/**
 * Reads the rows of a JSON document that arrives in chunks: one batch for each chunk, possibly empty.
 *
 * @param at name of the member with the rows; `''` if the document is the array of rows
 * @throws AppError `unavailable` for anything but a complete document with such rows
 */
export async function* readRowBatches(
  chunks: AsyncIterable<Uint8Array>,
  at: string,
): AsyncGenerator<readonly unknown[], void> {
  const parse = rowParser(at);
  const rowsIn = async (chunk: Uint8Array | typeof none) => {
    try {
      return await Array.fromAsync(parse(chunk), ({ value }) => value);
    } catch (cause) {
      throw unavailable(cause);
    }
  };
  let bytesSinceRow = 0;
  for await (const chunk of chunks) {
    const rows = await rowsIn(chunk);
    bytesSinceRow = rows.length > 0 ? 0 : bytesSinceRow + chunk.length;
    if (bytesSinceRow > ROW_BYTES_MAX) throw unavailable(new RangeError('A row is too long'));
    yield rows;
  }
  yield await rowsIn(none);
}

function rowParser(at: string) {
  const isRows = (path: readonly unknown[]) => (at === '' ? path.length === 0 : path.length === 1 && path[0] === at);
  return gen(
    fixUtf8Stream(),
    jsonParser({ streamValues: false }),
    pick({ filter: isRows }),
    requireToken(`There are no rows in ${at}`),
    streamArray(),
  );
}

/** Passes all tokens on. Throws at the end if there were none. */
function requireToken(message: string): parser.TokenTransform {
  let hasToken = false;
  return flushable((token: Token | typeof none) => {
    if (token !== none) hasToken = true;
    else if (!hasToken) throw new TypeError(message);
    return token;
  });
}
