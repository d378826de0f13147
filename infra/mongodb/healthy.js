// Health check: makes a new server the replica set that MONGODB_MEMBERS lists, by default one of this member alone, which transactions
// need. The primary adds missing members. Succeeds if the server is the primary or a secondary; exit code 3 if members are missing.
const members = (process.env.MONGODB_MEMBERS || 'mongodb:27017').split(',');
const MISSING = 3;

if (db.hello().setName === undefined) startSet();
const { isWritablePrimary, secondary } = db.hello();
if (!isWritablePrimary && !secondary) quit(1);
boundOplog();
if (isWritablePrimary && !completeSet()) quit(MISSING);

/** The first member starts the set. The others wait until the primary adds them. */
function startSet() {
  if (os.hostname() !== members[0].split(':')[0]) quit(1);
  logIn();
  try {
    rs.status();
  } catch (error) {
    if (error.codeName !== 'NotYetInitialized') throw error;
    rs.initiate({ _id: 'rs0', members: [{ _id: 0, host: members[0] }] });
  }
  for (let tries = 0; tries < 50 && !db.hello().isWritablePrimary; tries += 1) sleep(100);
}

/** Safe to repeat. Returns false while a member can't be added, as before it has started. */
function completeSet() {
  logIn();
  // A primary that is silent for 3 s is replaced (default: 10 s), and the new one waits for 0.5 s for writes that no majority has. A secondary
  // whose report hangs at the lost member confirms writes by heartbeats alone, for up to 30 s: hence their rate.
  const settings =
    members.length > 1 ? { electionTimeoutMillis: 3000, heartbeatIntervalMillis: 250, catchUpTimeoutMillis: 500 } : {};
  const config = rs.conf();
  try {
    if (Object.keys(settings).some((name) => config.settings[name] !== settings[name])) {
      rs.reconfig({ ...config, settings: { ...config.settings, ...settings } });
    }
    const known = config.members.map(({ host }) => host);
    for (const host of members.filter((member) => !known.includes(member))) rs.add(host);
    return true;
  } catch (error) {
    print(`The replica set is not complete yet: ${error.message}`);
    return false;
  }
}

/** Erased data leaves the oplog when newer entries need its place (packages/service-kit/src/mongo). The size is the smallest possible. */
function boundOplog() {
  logIn();
  // Members that were away for up to a day follow without a copy of all data.
  db.adminCommand({ replSetResizeOplog: 1, size: Double(990), minRetentionHours: Double(members.length > 1 ? 24 : 0) });
}

function logIn() {
  db.getSiblingDB('admin').auth(
    process.env.MONGO_INITDB_ROOT_USERNAME,
    fs.readFileSync('/run/secrets/MONGODB_ADMIN_PASSWORD', 'utf8'),
  );
}
