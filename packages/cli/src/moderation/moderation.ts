import { readFileSync } from 'node:fs';
import { isValidUsername, normalizeUsername } from '@lobbystats/contracts';
import { hasCode } from '@lobbystats/contracts/errors';
import { openReputationModeration } from '@lobbystats/reputation-api/admin';
import { fileExists, OperatorError, runCommand, UsageError, type Terminal } from '@lobbystats/service-kit';
import { openUserModeration } from '@lobbystats/user-api/admin';
import pRetry from 'p-retry';
import type { CliContext } from '../cli-command.ts';
import { readModerationConfig, type ModerationConfig } from './config.ts';
import { outcomeMessages, reportsMessage, republishedMessage, type ModerationRequest } from './messages.ts';

const MAX_RETRY_MS = 60_000;
const RETRY_INTERVAL_MS = 500;
const USERS_PER_REPORT = 5000;

/** `already`: nothing left to do. `unknown`: no such name or rating. `changed`: see {@link outcomeMessages}. */
type Outcome = 'done' | 'already' | 'unknown' | 'changed';

/** Returns the exit code: 0 done, 1 an unknown name, another report or an unavailable store, 2 an invalid username. */
export async function runModeration({ env, terminal }: CliContext, request: ModerationRequest): Promise<number> {
  return runCommand('moderate', terminal, async () => {
    const normalized = withNormalizedNames(request);
    const config = readModerationConfig(env);
    const outcome = await withRetry(() => moderate(normalized, config), terminal);
    const text = `${outcomeMessages(normalized)[outcome]}\n`;
    const isDone = outcome === 'done' || outcome === 'already';
    if (isDone) terminal.out(text);
    else terminal.error(text);
    return isDone ? 0 : 1;
  });
}

/** Publishes all users again. Returns the exit code: 0 done, 1 an unavailable store. */
export async function runRepublish({ env, terminal }: CliContext): Promise<number> {
  return runCommand('moderate', terminal, async () => {
    const config = readModerationConfig(env);
    const userCount = await withRetry(() => republishUsers(config, terminal), terminal);
    terminal.out(`${republishedMessage(userCount)}\n`);
    return 0;
  });
}

/** Prints the open reports of comments. Returns the exit code: 0 done, 1 an unavailable store. */
export async function runReports({ env, terminal }: CliContext): Promise<number> {
  return runCommand('moderate', terminal, async () => {
    const config = readModerationConfig(env);
    const reports = await withRetry(
      () => withStore(openReputation(config), (reputation) => reputation.reports()),
      terminal,
    );
    terminal.out(`${reportsMessage(reports)}\n`);
    return 0;
  });
}

/** Prints the hashes of all erased users, one a line. Returns the exit code: 0 done, 1 an unavailable store. */
export async function runErased({ env, terminal }: CliContext): Promise<number> {
  return runCommand('moderate', terminal, async () => {
    const config = readModerationConfig(env);
    const hashes = await withRetry(() => withStore(openUsers(config), (users) => users.erasedHashes()), terminal);
    terminal.out(hashes.map((hash) => `${hash}\n`).join(''));
    return 0;
  });
}

/** Erases the users of such a list again; `-` is standard input. Returns the exit code: 0 done, 1 another list or an unavailable store. */
export async function runEraseAgain({ env, terminal }: CliContext, file: string): Promise<number> {
  return runCommand('moderate', terminal, async () => {
    const config = readModerationConfig(env);
    assertErasureKey(config, 'names of erased users are known by it alone');
    const hashes = readFileSync(file === '-' ? 0 : file, 'utf8')
      .split(/\s+/)
      .filter(Boolean);
    const count = await withRetry(() => withStore(openUsers(config), (users) => users.eraseAgain(hashes)), terminal);
    terminal.out(`${count} ${count === 1 ? 'user is' : 'users are'} erased again; all hashes of the list are known.\n`);
    return 0;
  });
}

function withNormalizedNames(request: ModerationRequest): ModerationRequest {
  return 'name' in request
    ? { ...request, name: normalizedName(request.name) }
    : { ...request, rater: normalizedName(request.rater), profile: normalizedName(request.profile) };
}

/** @throws UsageError */
function normalizedName(name: string): string {
  if (!isValidUsername(name)) throw new UsageError(`"${name}" is not a valid username`);
  return normalizeUsername(name);
}

/** Retries while a store is busy or starting. Commands are idempotent. */
function withRetry<Result>(work: () => Promise<Result>, terminal: Terminal): Promise<Result> {
  return pRetry(work, {
    retries: Infinity,
    factor: 1,
    minTimeout: RETRY_INTERVAL_MS,
    maxRetryTime: MAX_RETRY_MS,
    shouldRetry: ({ error, attemptNumber }) => {
      const isUnavailable = hasCode(error, 'unavailable');
      if (isUnavailable && attemptNumber === 1)
        terminal.error(`moderate: ${error.message}; retrying for up to a minute\n`);
      return isUnavailable;
    },
  });
}

async function moderate(request: ModerationRequest, config: ModerationConfig): Promise<Outcome> {
  switch (request.command) {
    case 'hide':
      return withStore(openReputation(config), (reputation) => reputation.hide(request.rater, request.profile));
    case 'show':
      return withStore(openReputation(config), (reputation) => reputation.show(request.rater, request.profile));
    case 'dismiss':
      return withStore(openReputation(config), (reputation) =>
        reputation.dismiss(request.rater, request.profile, request.shown),
      );
    case 'bar':
      return withStore(openReputation(config), (reputation) => reputation.bar(request.name));
    case 'unbar':
      return withStore(openReputation(config), (reputation) => reputation.unbar(request.name));
    case 'stop-channels':
      return withStore(openUsers(config), (users) => users.stopChannels(request.name));
    case 'start-channels':
      return withStore(openUsers(config), (users) => users.startChannels(request.name));
    case 'allow':
      assertErasureKey(config, 'names of erased users are known by it alone');
      return withStore(openUsers(config), (users) => users.allowUser(request.name, request.gamertag));
    case 'erase':
      assertErasureKey(config, 'otherwise the feed would re-import the user');
      return withStore(openUsers(config), (users) => users.eraseUser(request.name));
  }
}

function assertErasureKey({ ERASURE_KEY }: ModerationConfig, reason: string): void {
  if (ERASURE_KEY === undefined) throw new OperatorError(`ERASURE_KEY must be set to the key of user-api; ${reason}`);
}

function republishUsers(config: ModerationConfig, terminal: Terminal): Promise<number> {
  let reports = 0;
  return withStore(openUsers(config), (users) =>
    users.republishUsers((userCount) => {
      if (userCount < (reports + 1) * USERS_PER_REPORT) return;
      reports = Math.floor(userCount / USERS_PER_REPORT);
      terminal.error(`moderate: ${userCount} users published so far\n`);
    }),
  );
}

async function withStore<Store extends { close(): Promise<void> }, Result>(
  opening: Promise<Store>,
  work: (store: Store) => Promise<Result>,
): Promise<Result> {
  const store = await opening;
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

async function openReputation({ reputationUrl: url, NETWORK_ORIGIN: origin }: ModerationConfig) {
  assertStoreExists(url);
  return openReputationModeration({ url, origin, clock: Date.now });
}

async function openUsers({ usersUrl: url, NETWORK_ORIGIN: origin, ERASURE_KEY }: ModerationConfig) {
  assertStoreExists(url);
  return openUserModeration({ url, origin, erasureKey: ERASURE_KEY, clock: Date.now });
}

function assertStoreExists(url: string): void {
  const path = url.replace(/^sqlite:/, '');
  if (path === url || fileExists(path)) return;
  throw new OperatorError(`there is no store ${path}: set DATA_DIR to the directory of npm start`);
}
