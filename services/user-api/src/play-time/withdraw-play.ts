import { nextRevision, SLOT_SECONDS, type EpochSeconds } from '@lobbystats/contracts';
import { AppError } from '@lobbystats/contracts/errors';
import type { Definition, Definitions } from '../achievements/definitions.ts';
import { newlyFulfilled } from '../achievements/evaluate.ts';
import { readPlayHistories } from '../users/read-user-state.ts';
import { EMPTY_PLAN, userFacts } from '../users/user-commit-plan.ts';
import { playerKey, totalMinutes, type PlayerRecord, type Unlock, type UserRecord } from '../users/user-record.ts';
import type { UserStore } from '../users/user-store.ts';
import { creditTitles } from './credit-titles.ts';
import { DAY_BYTES, dayOf, hasBit, setBit, slotAt, type DayChange, type DayTitles } from './play-day.ts';

const MAX_ATTEMPTS = 100;
const USERS_PER_COMMIT = 250;
const UNLOCKS_PER_READ = 1000;

/** Slots whose play time or unlocks are withdrawn, of one title or of all. */
export interface PlayWithdrawal {
  readonly fromInclusive: EpochSeconds;
  /** The last slot. */
  readonly toInclusive: EpochSeconds;
  readonly titleId: string | undefined;
  readonly playTime: boolean;
  /** Unlocks of these slots whose rules the users don't fulfil any more. */
  readonly unlocks: boolean;
  readonly isDryRun: boolean;
}

export interface WithdrawnPlay {
  readonly username: string;
  readonly minutesBefore: number;
  readonly minutesAfter: number;
  readonly unlocks: readonly { readonly key: string; readonly unlockedAt: EpochSeconds }[];
}

interface WithdrawalOptions {
  readonly store: UserStore;
  readonly clock: () => number;
  readonly origin: string;
}

/**
 * Withdraws earned slots and unlocks, beside a running service. Repeatable. Returns the users who lose something.
 *
 * @throws AppError `unavailable` when the store is unavailable; some users may be done then
 */
export async function withdrawPlay(withdrawal: PlayWithdrawal, options: WithdrawalOptions): Promise<WithdrawnPlay[]> {
  const definitions = await options.store.definitions();
  const unlocks = withdrawal.unlocks ? await unlocksIn(withdrawal, options.store) : new Map<string, Unlock[]>();
  const found: WithdrawnPlay[] = [];
  for (let after: string | undefined; ;) {
    const users = await options.store.usersAfter(after, USERS_PER_COMMIT);
    after = users.at(-1)?.key;
    if (after === undefined) return found;
    const keys = users.map(({ key }) => key);
    found.push(...(await withdrawOf(keys, withdrawal, { ...options, definitions, unlocks })));
  }
}

interface BatchOptions extends WithdrawalOptions {
  readonly definitions: readonly Definition[];
  readonly unlocks: ReadonlyMap<string, readonly Unlock[]>;
}

async function withdrawOf(keys: string[], withdrawal: PlayWithdrawal, options: BatchOptions): Promise<WithdrawnPlay[]> {
  const { store, clock, origin } = options;
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
    // Read first: the commit fails if anything read later was newer.
    const expectedRevision = await store.revision();
    const outcomes = await planBatch(keys, withdrawal, options);
    const found = outcomes.map(({ withdrawn }) => withdrawn);
    if (outcomes.length === 0 || withdrawal.isDryRun) return found;
    const revision = nextRevision(expectedRevision, clock());
    const users = outcomes.map(({ user }) => user);
    const about = { origin, revision, occurredAt: Math.floor(clock() / 1000), past: true };
    const commit = {
      users,
      playDays: outcomes.flatMap(({ user, changes }) =>
        changes.map(({ day, after }) => ({ userKey: user.key, day, titles: after })),
      ),
      withdrawnUnlocks: outcomes.flatMap(({ unlocks }) => unlocks),
      facts: userFacts({ ...EMPTY_PLAN, credited: users }, about, about.occurredAt),
    };
    if (await store.commit({ expectedRevision, revision, ...commit })) return found;
  }
  throw new AppError('unavailable', 'The users are being changed by too many at once');
}

interface Outcome {
  readonly user: UserRecord;
  readonly changes: readonly DayChange[];
  readonly unlocks: readonly Unlock[];
  readonly withdrawn: WithdrawnPlay;
}

async function planBatch(keys: string[], withdrawal: PlayWithdrawal, options: BatchOptions): Promise<Outcome[]> {
  const { store, clock } = options;
  const users = [...(await store.users(keys)).values()];
  const changes = withdrawal.playTime ? await dayChanges(keys, withdrawal, store) : new Map<string, DayChange[]>();
  const histories = await readPlayHistories(store, [...changes.keys()], Math.floor(clock() / 1000));
  const players = await playersOf(
    users.filter(({ key }) => options.unlocks.has(key)),
    store,
  );
  return users.flatMap((before) => {
    const ofUser = changes.get(before.key) ?? [];
    const { titles } = creditTitles(before.titles, ofUser, histories.get(before.key));
    const player = players.get(playerKey(before.gamertag) ?? '');
    const { user, unlocks } = withoutUnlocks({ ...before, titles }, player, options);
    if (ofUser.length === 0 && unlocks.length === 0) return [];
    const withdrawn = {
      username: user.username,
      minutesBefore: totalMinutes(before),
      minutesAfter: totalMinutes(user),
      unlocks: unlocks.map(({ unlockedAt, definition }) => ({ key: definition.key, unlockedAt })),
    };
    return [{ user, changes: ofUser, unlocks, withdrawn }];
  });
}

/** Days whose slots are stored; older play time can't be withdrawn. */
async function dayChanges(
  keys: readonly string[],
  { fromInclusive, toInclusive, titleId }: PlayWithdrawal,
  store: UserStore,
): Promise<Map<string, DayChange[]>> {
  const dayKeys = [];
  for (let day = dayOf(fromInclusive); day <= dayOf(toInclusive); day += 1) {
    for (const key of keys) dayKeys.push({ key, day });
  }
  const isWithdrawn = (title: string, slot: EpochSeconds) =>
    slot >= fromInclusive && slot <= toInclusive && (titleId === undefined || title === titleId);
  const found = new Map<string, DayChange[]>();
  for (const { userKey, day, titles } of await store.playDays(dayKeys)) {
    const after = withoutSlots(day, titles, isWithdrawn);
    if (after !== undefined) found.set(userKey, [...(found.get(userKey) ?? []), { day, before: titles, after }]);
  }
  return found;
}

/** Undefined: no slot is withdrawn. */
function withoutSlots(
  day: number,
  titles: DayTitles,
  isWithdrawn: (titleId: string, slot: EpochSeconds) => boolean,
): DayTitles | undefined {
  const after = new Map<string, Uint8Array>();
  let isChanged = false;
  for (const [titleId, bits] of titles) {
    const rest = new Uint8Array(DAY_BYTES);
    for (let index = 0; index < DAY_BYTES * 8; index += 1) {
      if (!hasBit(bits, index)) continue;
      if (isWithdrawn(titleId, slotAt(day, index))) isChanged = true;
      else setBit(rest, index);
    }
    if (rest.some((byte) => byte !== 0)) after.set(titleId, rest);
  }
  return isChanged ? after : undefined;
}

type DefinedUnlock = Unlock & { readonly definition: Definition };

/** Without those of the user's unlocks in the range whose rules are not fulfilled: others would come again at once. */
function withoutUnlocks(
  user: UserRecord,
  player: PlayerRecord | undefined,
  { definitions, unlocks }: BatchOptions,
): { user: UserRecord; unlocks: DefinedUnlock[] } {
  const all: Definitions = { digest: '', all: definitions, groups: [] };
  const fulfilled = new Set(newlyFulfilled(all, { user: { ...user, unlocked: [] }, player }));
  const lost = (unlocks.get(user.key) ?? []).flatMap((unlock): DefinedUnlock[] => {
    const definition = definitions.find(({ id }) => id === unlock.achievementId);
    return definition === undefined || fulfilled.has(definition) || !user.unlocked.includes(definition.id)
      ? []
      : [{ ...unlock, definition }];
  });
  const ids = new Set(lost.map(({ achievementId }) => achievementId));
  const score = lost.reduce((sum, { definition }) => sum - definition.points, user.score);
  return { user: { ...user, unlocked: user.unlocked.filter((id) => !ids.has(id)), score }, unlocks: lost };
}

async function playersOf(users: readonly UserRecord[], store: UserStore): Promise<Map<string, PlayerRecord>> {
  return store.players(users.flatMap(({ gamertag }) => playerKey(gamertag) ?? []));
}

/** By user. Unlocks come newest first. */
async function unlocksIn(
  { fromInclusive, toInclusive }: PlayWithdrawal,
  store: UserStore,
): Promise<Map<string, Unlock[]>> {
  const found = new Map<string, Unlock[]>();
  for (let offset = 0; ; offset += UNLOCKS_PER_READ) {
    const unlocks = await store.recentUnlocks(UNLOCKS_PER_READ, offset);
    for (const { userKey, achievementId, unlockedAt } of unlocks) {
      if (unlockedAt < fromInclusive || unlockedAt >= toInclusive + SLOT_SECONDS) continue;
      found.set(userKey, [...(found.get(userKey) ?? []), { userKey, achievementId, unlockedAt }]);
    }
    if (unlocks.length < UNLOCKS_PER_READ || (unlocks.at(-1)?.unlockedAt ?? 0) < fromInclusive) return found;
  }
}
