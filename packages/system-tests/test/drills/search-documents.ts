import type { FaultyStack } from './inject.ts';

/** Writes all documents to a file. It is searched in the container, since they may be too many to fetch. */
const SEARCH = `
  mongosh --quiet --norc -u admin -p "$(</run/secrets/MONGODB_ADMIN_PASSWORD)" --eval '
    for (const name of ["users", "reputation", "catalog", "collector"]) {
      const database = db.getSiblingDB(name);
      for (const collection of database.getCollectionNames()) {
        database.getCollection(collection).find().forEach((document) => print(EJSON.stringify(document)));
      }
    }' > /tmp/documents
  wc -l < /tmp/documents
  grep -cF -f <(printf '%s\\n' "$@") /tmp/documents
  rm /tmp/documents`;

/** Counts all documents in MongoDB, and those that contain one of these texts. */
export async function searchDocuments(
  { compose }: Pick<FaultyStack, 'compose'>,
  texts: readonly string[],
): Promise<{ documents: number; found: number }> {
  const counted = await compose('exec', '-T', 'mongodb', 'bash', '-c', SEARCH, 'bash', ...texts);
  const [documents = Number.NaN, found = Number.NaN] = counted.split('\n').map(Number);
  return { documents, found };
}
