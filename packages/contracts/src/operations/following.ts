import { z } from 'zod';
import { nameKey, networkId, titleId } from '../primitives/keys.ts';
import { illegibleMessage, isLegible } from '../primitives/plain-text.ts';
import { integer, isTextWithin } from '../primitives/query.ts';
import { encodeSegment } from '../primitives/path-segment.ts';
import { DAY_SECONDS, timestamp } from '../primitives/time.ts';
import { eventPagePath } from './events.ts';
import { count, namedObject, none } from './fields.ts';
import { PLAYER_NAME_MAX } from './leaderboards.ts';
import {
  EVENT_NOTICE_SECONDS,
  followKinds,
  LATE_SECONDS,
  NOTIFICATION_INTERVAL_SECONDS,
  type FollowKind,
} from './news.ts';
import { operation } from './operation.ts';

/** Maximum that one account follows. */
export const FOLLOWING_MAX = 100;
/** Notifications of one answer, or feed. */
export const NOTIFICATIONS_MAX = 200;
/** How long notifications are kept. */
export const NOTIFICATION_RETENTION_SECONDS = 7 * DAY_SECONDS;
/** Items that one notification lists; it counts all. */
export const NOTIFICATION_ITEMS_MAX = 10;

const LOBBY_PLAYERS_MAX = 64;
const ONLINE_MAX = 1_000_000;

function threshold(min: number, max: number, description: string) {
  const message = `must be an integer from ${min} to ${max}, or null`;
  return z.int({ error: message }).min(min, message).max(max, message).nullable().meta({ description });
}

function toggle(description: string) {
  return z.boolean({ error: 'must be true or false' }).meta({ description });
}

/** Those that a kind has; its others are absent. null and false switch a rule off. */
const ruleFields = {
  lobbyPlayers: threshold(
    1,
    LOBBY_PLAYERS_MAX,
    'A lobby of a game has at least this many players: once for each lobby',
  ),
  onlineAbove: threshold(0, ONLINE_MAX, 'The players online of a game rise above this number'),
  newLeaderboards: toggle('A game whose leaderboards have been known for a day has a new one'),
  events: toggle(`An event, or one of a game, begins in ${EVENT_NOTICE_SECONDS / 60} minutes`),
  records: toggle('An entry of a leaderboard takes rank 1 by a better rating than all that were known'),
  rankBelow: threshold(
    1,
    ONLINE_MAX,
    'The caller’s own best rank on a leaderboard falls below this one; 1: their record is beaten',
  ),
  online: toggle('A player comes online'),
  ranks: toggle('A leaderboard entry of a player changes'),
  unlocks: toggle('A player unlocks an achievement'),
};
const followRules = z.strictObject(ruleFields).partial();
export type FollowRules = z.output<typeof followRules>;
export type FollowRule = keyof typeof ruleFields;

/** The rules of each kind, and their values where none are given. */
export const defaultRules: Readonly<Record<FollowKind, FollowRules>> = {
  game: { lobbyPlayers: 1, onlineAbove: null, newLeaderboards: true, events: true },
  leaderboard: { records: true, rankBelow: 1 },
  player: { online: true, ranks: true, unlocks: true },
  event: { events: true },
};

const idMessages: Readonly<Record<FollowKind, string>> = {
  game: 'must be a title ID',
  leaderboard: 'must be a title ID, a colon and the ID of a leaderboard',
  player: `must be a name of 1 to ${PLAYER_NAME_MAX} characters`,
  event: 'must be the ID of an event',
};

/**
 * The canonical ID of what is followed: equal for equal things.
 *
 * @returns undefined if it is no ID of this kind
 */
export function followKey(kind: FollowKind, id: string): string | undefined {
  const parsed = idSchemas[kind].safeParse(id);
  return parsed.success ? parsed.data : undefined;
}

/** The page of what is followed. @param target as {@link followKey} returns it */
export function followedPagePath(kind: FollowKind, target: string): string {
  const [title = '', board = ''] = target.split(':');
  if (kind === 'leaderboard') return `/game/${title}/leaderboard/${board}`;
  if (kind === 'event') return eventPagePath(target);
  return kind === 'game' ? `/game/${title}` : `/u/${encodeSegment(target)}`;
}

/** The picture of {@link followedPagePath} for link previews. */
export function followedPicturePath(kind: FollowKind, target: string): string {
  return kind === 'event' ? '/og/site.png' : `/og${followedPagePath(kind, target)}.png`;
}

const boardId = /^([0-9a-fA-F]{8}):([0-9]{1,10})$/;
const decimal = z
  .string()
  .regex(/^[0-9]{1,10}$/)
  .transform(Number)
  .pipe(networkId)
  .transform(String);

const idSchemas: Readonly<Record<FollowKind, z.ZodType<string, string>>> = {
  game: titleId,
  leaderboard: z
    .string()
    .regex(boardId)
    .transform((text) => {
      const [title = '', board = ''] = text.split(':');
      return `${title.toLowerCase()}:${decimal.safeParse(board).data ?? ''}`;
    })
    .refine((text) => boardId.test(text)),
  player: z
    .string()
    .transform(nameKey)
    .refine((name) => name !== '' && isTextWithin(name, PLAYER_NAME_MAX) && isLegible(name)),
  event: decimal,
};

const kind = z
  .enum(followKinds, { error: `must be one of ${followKinds.join(', ')}` })
  .meta({ description: 'Kind of what is followed' });

const followId = z.string({ error: 'must be a text' }).trim().refine(isLegible, illegibleMessage).meta({
  description:
    'A title ID; a title ID, a colon and the ID of a leaderboard; the name of a player, in any case; or the ID of an event',
  maxLength: PLAYER_NAME_MAX,
  example: '4d530064',
});

const followed = namedObject('Followed', {
  kind: z.enum(followKinds),
  id: z.string().meta({ description: 'As it was given' }),
  rules: followRules.meta({ id: 'FollowRules', description: 'All rules of its kind' }),
  followedAt: timestamp,
});
export type Followed = z.output<typeof followed>;

const timeOfDay = z
  .string({ error: 'must be a time of day of the form HH:MM' })
  .regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be a time of day of the form HH:MM')
  .meta({ example: '22:00' });

const quietHours = z
  .strictObject({
    from: timeOfDay,
    to: timeOfDay,
    timeZone: z
      .string({ error: 'must be a text' })
      .max(64, 'must be an IANA time zone')
      .refine(isTimeZone, 'must be an IANA time zone')
      .meta({ description: 'IANA time zone', example: 'Europe/Berlin' }),
  })
  .refine(({ from, to }) => from !== to, { path: ['to'], message: 'must differ from from' });
export type QuietHours = z.output<typeof quietHours>;

function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}

const own = {
  session: 'required',
  audience: 'public',
  upstream: 'user-api',
  params: none,
  query: none,
  tags: [],
} as const;

const errors = { 403: 'The caller’s data have been erased' };

export const listFollowing = operation({
  ...own,
  id: 'listFollowing',
  summary: 'Games, leaderboards, players and events that the caller follows, with the rules of notifications',
  description: 'The latest first.',
  method: 'GET',
  path: '/api/me/following',
  response: namedObject('FollowingList', {
    following: z.array(followed),
    limit: count.meta({ description: 'How much one account can follow' }),
    quietHours: quietHours.nullable().meta({ description: 'When notifications wait; null: never' }),
  }),
});

export const follow = operation({
  ...own,
  id: 'follow',
  summary: 'Follows a game, leaderboard, player or event, or changes the rules of what is followed',
  description: `Rules that are absent have their default: a lobby of at least 1 player, a new leaderboard and an event of a game; a record, and the own record that is beaten, on a leaderboard; a player who comes online, changes an entry or unlocks an achievement; an event that begins. A rule that is not one of the kind is refused. One account follows at most ${FOLLOWING_MAX}. What does not exist can be followed: it may come.`,
  method: 'POST',
  path: '/api/me/following',
  sample: { body: { kind: 'game', id: ':titleId', rules: { lobbyPlayers: 4 } } },
  body: z
    .strictObject({ kind, id: followId, rules: followRules.optional() })
    .superRefine(({ kind: of, id, rules = {} }, context) => {
      if (followKey(of, id) === undefined) {
        context.addIssue({ code: 'custom', path: ['id'], message: idMessages[of] });
      }
      for (const name of Object.keys(rules)) {
        if (!(name in defaultRules[of])) {
          context.addIssue({ code: 'custom', path: ['rules', name], message: `is no rule of a ${of}` });
        }
      }
    }),
  response: followed,
  errors: { ...errors, 400: `The caller already follows ${FOLLOWING_MAX}` },
});

export const unfollow = operation({
  ...own,
  id: 'unfollow',
  summary: 'Stops following',
  method: 'DELETE',
  path: '/api/me/following/:kind/:id',
  params: z.object({ kind, id: followId }),
  response: namedObject('Unfollowing', { removed: z.boolean().meta({ description: 'False: it was not followed' }) }),
});

export const setQuietHours = operation({
  ...own,
  id: 'setQuietHours',
  summary: 'Sets when notifications wait, in the caller’s time zone',
  description: 'What happens in these hours is one notification of each rule when they end.',
  method: 'POST',
  path: '/api/me/quiet-hours',
  sample: { body: { quietHours: { from: '22:00', to: '07:00', timeZone: 'Europe/Berlin' } } },
  body: z.strictObject({ quietHours: quietHours.nullable() }),
  response: namedObject('QuietHoursResult', { quietHours: quietHours.nullable() }),
  errors,
});

/** Also what channels deliver. */
export const notification = namedObject('Notification', {
  id: z.string().meta({ description: 'The same in every channel and every repetition' }),
  at: timestamp.meta({ description: 'When it was, or will be, sent' }),
  happenedAt: timestamp.meta({ description: 'When the newest of its items happened' }),
  expiresAt: timestamp.nullable().meta({
    description: 'After this time channels do not send it: who is there now is news for a short time. Null: never',
  }),
  kind: z.enum(followKinds),
  target: z.string().meta({ description: 'ID of what is followed, in its canonical form' }),
  rule: z.enum(Object.keys(ruleFields) as [FollowRule, ...FollowRule[]]),
  title: z.string(),
  text: z.string().meta({
    description: `A line for each item; the newest first. The last line tells the time of a notification that is sent over ${LATE_SECONDS / 60} minutes late`,
  }),
  count: z.int().positive().meta({ description: 'Number of all that has happened; items are at most 10' }),
  url: z.url().meta({ description: 'Page of the site' }),
});
export type Notification = z.output<typeof notification>;

export const listNotifications = operation({
  ...own,
  id: 'listNotifications',
  summary: 'The caller’s notifications, newest first',
  description: `What follows from the rules of what the caller follows. At most one of a rule in ${NOTIFICATION_INTERVAL_SECONDS / 60} minutes: what happens meanwhile comes with the next one. They are kept for ${NOTIFICATION_RETENTION_SECONDS / DAY_SECONDS} days.`,
  method: 'GET',
  path: '/api/me/notifications',
  query: z.object({ limit: integer({ min: 1, max: NOTIFICATIONS_MAX }).default(50) }),
  response: namedObject('NotificationList', { notifications: z.array(notification) }),
});
