import type { IncomingMessage } from 'node:http';
import { parse } from 'content-type';
import getRawBody from 'raw-body';
import { HttpProblem } from './send-error.ts';

/** The longest body that is read, in bytes. */
const BODY_BYTES_MAX = 64 * 1024;

/**
 * The bytes of a JSON body; nothing is decompressed, so that no body costs more than its length.
 *
 * @throws HttpProblem as {@link readBytes} does, and 415 for a body whose headers name anything but plain JSON
 */
export async function readBody(req: IncomingMessage): Promise<Buffer> {
  const { headers } = req;
  if (Number(headers['content-length'] ?? 0) > BODY_BYTES_MAX) throw tooLarge();
  if (parse(headers['content-type'] ?? '').type !== 'application/json') {
    throw new HttpProblem(415, 'Content-Type must be application/json');
  }
  const encoding = (headers['content-encoding'] ?? 'identity').trim().toLowerCase();
  if (encoding !== 'identity') throw new HttpProblem(415, 'The body must not be compressed');
  return readBytes(req);
}

/**
 * The bytes of any body. One that is too long is refused before its end.
 *
 * @throws HttpProblem 413 for more than {@link BODY_BYTES_MAX}, 400 for a body that breaks off
 */
export async function readBytes(req: IncomingMessage): Promise<Buffer> {
  try {
    return await getRawBody(req, { length: req.headers['content-length'] ?? null, limit: BODY_BYTES_MAX });
  } catch (error) {
    // raw-body pauses the request: the rest of it is discarded, so that the connection can go on.
    req.resume();
    throw (error as { status?: number }).status === 413 ? tooLarge() : new HttpProblem(400, 'The body breaks off');
  }
}

function tooLarge(): HttpProblem {
  return new HttpProblem(413, `The body must be at most ${BODY_BYTES_MAX / 1024} KiB`);
}
