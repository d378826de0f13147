import type { IncomingMessage } from 'node:http';
import { parse } from 'content-type';
import getRawBody from 'raw-body';
import { HttpError } from './send-error.ts';

const BODY_BYTES_MAX = 64 * 1024;

/** Reads an uncompressed JSON body. @throws HttpError 415 by its headers, and as {@link readBytes} */
export async function readBody(req: IncomingMessage): Promise<Buffer> {
  const { headers } = req;
  if (Number(headers['content-length'] ?? 0) > BODY_BYTES_MAX) throw tooLarge();
  if (parse(headers['content-type'] ?? '').type !== 'application/json') {
    throw new HttpError(415, 'Content-Type must be application/json');
  }
  const encoding = (headers['content-encoding'] ?? 'identity').trim().toLowerCase();
  if (encoding !== 'identity') throw new HttpError(415, 'The body must not be compressed');
  return readBytes(req);
}

/** @throws HttpError 413 for more than {@link BODY_BYTES_MAX}, before the body's end; 400 for an incomplete body */
export async function readBytes(req: IncomingMessage): Promise<Buffer> {
  try {
    return await getRawBody(req, { length: req.headers['content-length'] ?? null, limit: BODY_BYTES_MAX });
  } catch (error) {
    // raw-body pauses the request: discard the rest, so that the connection stays usable.
    req.resume();
    throw (error as { status?: number }).status === 413 ? tooLarge() : new HttpError(400, 'The body breaks off');
  }
}

function tooLarge(): HttpError {
  return new HttpError(413, `The body must be at most ${BODY_BYTES_MAX / 1024} KiB`);
}
