import { createReadStream } from 'node:fs';
import { createGunzip } from 'node:zlib';
import { BSON, type Document } from 'mongodb';
import { OperatorError } from '@lobbystats/service-kit';

/** The server's limit for its own documents. */
const MAX_DOCUMENT_BYTES = 16 * 1024 * 1024 + 16 * 1024;
/** Keeps number types. */
const DESERIALIZE_OPTIONS = { promoteValues: false, promoteLongs: false, promoteBuffers: false, bsonRegExp: true };

export async function* readDocuments(path: string): AsyncGenerator<Document> {
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of createReadStream(path).pipe(createGunzip()) as AsyncIterable<Buffer>) {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    let from = 0;
    while (rest.length - from >= 4) {
      const size = rest.readInt32LE(from);
      if (size < 5 || size > MAX_DOCUMENT_BYTES) throw new OperatorError(`${path} holds no documents`);
      if (rest.length - from < size) break;
      yield BSON.deserialize(rest.subarray(from, from + size), DESERIALIZE_OPTIONS);
      from += size;
    }
    rest = rest.subarray(from);
  }
  if (rest.length > 0) throw new OperatorError(`${path} ends in the middle of a document`);
}
