import { MongoClient } from 'mongodb';
import type { FaultyStack } from '../faults/inject.ts';

const DATABASES = ['users', 'reputation', 'catalog', 'collector'];

/** Counts all documents in MongoDB, and those that contain one of these texts. */
export async function searchDocuments(
  { compose }: Pick<FaultyStack, 'compose'>,
  texts: readonly string[],
): Promise<{ documents: number; found: number }> {
  const host = await compose('port', 'mongodb', '27017');
  const password = await compose('exec', '-T', 'mongodb', 'cat', '/run/secrets/MONGODB_ADMIN_PASSWORD');
  const client = new MongoClient(`mongodb://admin:${password}@${host}/?directConnection=true`);
  let [documents, found] = [0, 0];
  try {
    for (const database of DATABASES.map((name) => client.db(name))) {
      for (const { name } of await database.listCollections().toArray()) {
        for await (const document of database.collection(name).find({}, { raw: true })) {
          documents += 1;
          // With `raw`, which its type does not show, a document is BSON, which has strings as they are.
          const bytes = Buffer.from(document as unknown as Uint8Array);
          if (texts.some((text) => bytes.includes(text))) found += 1;
        }
      }
    }
  } finally {
    await client.close();
  }
  return { documents, found };
}
