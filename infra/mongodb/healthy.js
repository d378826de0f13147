// Health check: makes a new server a replica set of one member, which transactions need. Succeeds if the server is the primary.
const user = process.env.MONGO_INITDB_ROOT_USERNAME;
db.getSiblingDB('admin').auth(user, process.env.MONGO_INITDB_ROOT_PASSWORD);
try {
  rs.status();
} catch (error) {
  if (error.codeName !== 'NotYetInitialized') throw error;
  rs.initiate({ _id: 'rs0', members: [{ _id: 0, host: 'mongodb:27017' }] });
}
if (!db.hello().isWritablePrimary) quit(1);
