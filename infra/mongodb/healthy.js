// Health check: makes a new server a replica set of one member, which transactions need. Succeeds if it is the primary.
if (db.hello().setName === undefined) startSet();
if (!db.hello().isWritablePrimary) quit(1);

function startSet() {
  db.getSiblingDB('admin').auth(
    process.env.MONGO_INITDB_ROOT_USERNAME,
    fs.readFileSync('/run/secrets/MONGODB_ADMIN_PASSWORD', 'utf8'),
  );
  try {
    rs.status();
  } catch (error) {
    if (error.codeName !== 'NotYetInitialized') throw error;
    rs.initiate({ _id: 'rs0', members: [{ _id: 0, host: 'mongodb:27017' }] });
  }
  for (let tries = 0; tries < 50 && !db.hello().isWritablePrimary; tries += 1) sleep(100);
}
