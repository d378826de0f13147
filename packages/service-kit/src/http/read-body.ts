import type { IncomingMessage } from 'node:http';
import { HttpProblem } from './send-error.ts';

/** The longest body that is read, in bytes. */
const BODY_BYTES_MAX = 64 * 1024;

/**
 * The bytes of a JSON body; nothing is unpacked, so that no body costs more than its length.
 *
 * @throws HttpProblem as {@link readBytes} does, and 415 for what isn't said to be plain JSON
 */
export function readBody(req: IncomingMessage): Promise<Buffer> {
  const refusal = refusalOf(req);
  return refusal === undefined ? readBytes(req) : Promise.reject(refusal);
}

/**
 * The bytes of any body. What can't be taken is refused as soon as that is known, not when the last of it has come in. Node throws
 * away what still comes in of one that was refused, for as long as a request may take.
 *
 * @throws HttpProblem 413 for more than {@link BODY_BYTES_MAX}, 400 for a body that breaks off
 */
export function readBytes(req: IncomingMessage): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    if (isSaidTooLong(req)) {
      reject(tooLarge());
      return;
    }
    const chunks: Buffer[] = [];
    let length = 0;
    req.on('data', (chunk: Buffer) => {
      length += chunk.length;
      if (length <= BODY_BYTES_MAX) {
        chunks.push(chunk);
        return;
      }
      chunks.length = 0;
      reject(tooLarge());
    });
    let isWhole = false;
    req.once('end', () => {
      isWhole = true;
      resolve(Buffer.concat(chunks));
    });
    const breakOff = () => {
      if (!isWhole) reject(new HttpProblem(400, 'The body breaks off'));
    };
    req.once('error', breakOff);
    req.once('close', breakOff);
  });
}

/** The length comes first: whatever else is wrong with a body, one too long is not read. */
function refusalOf(req: IncomingMessage): HttpProblem | undefined {
  if (isSaidTooLong(req)) return tooLarge();
  const { headers } = req;
  const [mediaType = ''] = (headers['content-type'] ?? '').split(';', 1);
  if (mediaType.trim().toLowerCase() !== 'application/json') {
    return new HttpProblem(415, 'Content-Type must be application/json');
  }
  const encoding = (headers['content-encoding'] ?? 'identity').trim().toLowerCase();
  if (encoding !== 'identity') return new HttpProblem(415, 'The body must not be compressed');
  return undefined;
}

function isSaidTooLong({ headers }: IncomingMessage): boolean {
  return Number(headers['content-length'] ?? 0) > BODY_BYTES_MAX;
}

function tooLarge(): HttpProblem {
  return new HttpProblem(413, `The body must be at most ${BODY_BYTES_MAX / 1024} KiB`);
}
