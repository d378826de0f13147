import { existsSync } from 'node:fs';
import { hasCode } from '@lobbystats/errors';
import { openReputationModeration } from '@lobbystats/reputation-api';
import { OperatorError, runCommand, type Env, type Terminal } from '@lobbystats/service-kit';
import { openUserModeration } from '@lobbystats/user-api';
import pRetry from 'p-retry';
import { readModerationConfig, type ModerationConfig } from './config.ts';
import { readRequest, type Moderating } from './request.ts';
import { announced, answers, HELP } from './words.ts';

const PATIENCE_MS = 60_000;
const AGAIN_MS = 500;
const PEOPLE_PER_REPORT = 5000;

/** `already`: nothing left to do. `unknown`: no such name or rating. */
type Outcome = 'done' | 'already' | 'unknown';

/**
 * `npm run people`. Returns the exit code: 0 done, 1 an unknown name or no store, 2 wrong usage.
 *
 * @param args what stands behind the program's name
 * @returns the exit code: 0 done, 1 an unknown name or a store that can't be had, 2 wrong usage
 */
export async function runModeration(args: readonly string[], env: Env, terminal: Terminal): Promise<number> {
  return runCommand('people', terminal, async () => {
    const request = readRequest(args);
    if (request.command === 'help') {
      terminal.out(HELP);
      return 0;
    }
    const config = readModerationConfig(env);
    if (request.command === 'announce') {
      const people = await patiently(() => announce(config, terminal), terminal);
      terminal.out(`${announced(people)}\n`);
      return 0;
    }
    const outcome = await patiently(() => moderate(request, config), terminal);
    const text = `${answers(request)[outcome]}\n`;
    if (outcome === 'unknown') terminal.error(text);
    else terminal.out(text);
    return outcome === 'unknown' ? 1 : 0;
  });
}

/** Retries while a store is busy or starting. Commands are idempotent. */
function patiently<Result>(work: () => Promise<Result>, terminal: Terminal): Promise<Result> {
  return pRetry(work, {
    retries: Infinity,
    factor: 1,
    minTimeout: AGAIN_MS,
    maxRetryTime: PATIENCE_MS,
    shouldRetry: ({ error, attemptNumber }) => {
      const isAway = hasCode(error, 'unavailable');
      if (isAway && attemptNumber === 1) terminal.error(`people: ${error.message}; trying again for a minute\n`);
      return isAway;
    },
  });
}

async function moderate(request: Moderating, config: ModerationConfig): Promise<Outcome> {
  switch (request.command) {
    case 'hide':
      return using(openReputation(config), (reputation) => reputation.hide(request.rater, request.profile));
    case 'show':
      return using(openReputation(config), (reputation) => reputation.show(request.rater, request.profile));
    case 'bar':
      return using(openReputation(config), (reputation) => reputation.bar(request.name));
    case 'forget':
      if (config.FORGOTTEN_KEY === undefined) {
        throw new OperatorError(
          'FORGOTTEN_KEY must be set to the key that user-api has: without it the feed would make them anew',
        );
      }
      return using(openUsers(config), (users) => users.forget(request.name));
  }
}

function announce(config: ModerationConfig, terminal: Terminal): Promise<number> {
  let reports = 0;
  return using(openUsers(config), (users) =>
    users.announce((people) => {
      if (people < (reports + 1) * PEOPLE_PER_REPORT) return;
      reports = Math.floor(people / PEOPLE_PER_REPORT);
      terminal.error(`people: ${people} are announced so far\n`);
    }),
  );
}

async function using<Store extends { close(): Promise<void> }, Result>(
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

async function openReputation({ REPUTATION_DATABASE_URL: url, NETWORK_ORIGIN: origin }: ModerationConfig) {
  expectThere(url, 'REPUTATION_DATABASE_URL');
  return openReputationModeration({ url, origin, clock: Date.now });
}

async function openUsers({ USER_DATABASE_URL: url, NETWORK_ORIGIN: origin, FORGOTTEN_KEY }: ModerationConfig) {
  expectThere(url, 'USER_DATABASE_URL');
  return openUserModeration({ url, origin, forgottenKey: FORGOTTEN_KEY, clock: Date.now });
}

function expectThere(url: string, setting: string): void {
  const path = url.replace(/^sqlite:/, '');
  if (path === url || existsSync(path)) return;
  throw new OperatorError(`there is no store ${path}: set ${setting}, or DATA_DIR, to where the service has it`);
}
