import {
  DAY_SECONDS,
  formatDate,
  formatTimestamp,
  operations,
  parseInstant,
  type Change,
  type OperationResponse,
} from '@lobbystats/contracts';
import { playTimeText } from '../../dates.ts';
import { html, type Html } from '../../html.ts';
import type { PageData } from '../../page.ts';
import { list } from '../../parts/list.ts';
import { empty, part, section } from '../../parts/part.ts';
import { playDaysPlot } from '../../parts/play-days.ts';
import { day, formatCount, plural } from '../../parts/text.ts';
import { calendar } from './calendar.ts';
import type { FoundPlayer } from '../../parts/find-player.ts';

const { getUserAchievements, listPlayDays, listPlayerChanges } = operations;

/** Operations that {@link readStory} asks. */
export const storyOperations = [listPlayerChanges] as const;
export const storyUserOperations = [getUserAchievements, listPlayDays] as const;

const DAYS = 90;
/** The most that one request returns. */
const CHANGES_MAX = 500;
const LISTED_DAYS = 10;

export interface Story {
  /** Own changes of the last 90 days, newest first; undefined while unavailable. */
  readonly changes: readonly Change[] | undefined;
  /** The first day of which all changes are known. */
  readonly from: string;
  readonly played: OperationResponse<typeof listPlayDays>['days'] | undefined;
  /** Days of unlocks. */
  readonly unlocks: readonly string[];
}

export async function readStory({ playerName, user }: FoundPlayer, data: PageData): Promise<Story> {
  const from = formatDate(data.now - (DAYS - 1) * DAY_SECONDS);
  // The parameter excludes its instant.
  const since = formatTimestamp(parseInstant(from) - 1);
  const ofUser = { username: user?.username ?? '' };
  const [found, played, achievements] = await Promise.all([
    data.find(listPlayerChanges, { player: playerName }, { since, limit: CHANGES_MAX }),
    user ? data.find(listPlayDays, ofUser) : null,
    user ? data.find(getUserAchievements, ofUser) : null,
  ]);
  const changes = found === null ? [] : found?.changes;
  const oldest = changes?.at(-1)?.changedAt.slice(0, 10);
  return {
    changes,
    from: found?.hasMore === true && oldest !== undefined ? nextDay(oldest) : from,
    played: played === null ? [] : played?.days,
    unlocks: achievements?.achievements.flatMap(({ unlocked_at }) => unlocked_at?.slice(0, 10) ?? []) ?? [],
  };
}

function nextDay(date: string): string {
  return formatDate(parseInstant(date) + DAY_SECONDS);
}

/** The last 90 days: a calendar, what happened day by day, and play time by day. */
export function storySection({ changes, from, played, unlocks }: Story, { user }: FoundPlayer, data: PageData): Html {
  const content = part(changes, (all) => {
    const days = daysOf(
      all.filter(({ changedAt }) => changedAt.slice(0, 10) >= from),
      played ?? [],
      unlocks.filter((date) => date >= from),
    );
    return html`<div class="columns">
      <div>${days.length === 0 ? empty(`Nothing in the last ${DAYS} days`) : timeline(days, from, data)}</div>
      ${user && playPlot(played, data)}
    </div>`;
  });
  return section('story', 'Activity', content, html`since ${day(from)}, by UTC day`);
}

interface ActiveDay {
  readonly date: string;
  readonly changes: readonly Change[];
  readonly minutes: number;
  readonly unlocks: number;
}

/** Newest first. */
function daysOf(
  changes: readonly Change[],
  played: NonNullable<Story['played']>,
  unlocks: readonly string[],
): ActiveDay[] {
  const ofDay = Map.groupBy(changes, ({ changedAt }) => changedAt.slice(0, 10));
  const minutes = new Map(played.map((one) => [one.date, one.minutes]));
  const dates = new Set([...ofDay.keys(), ...minutes.keys(), ...unlocks]);
  return [...dates]
    .sort()
    .reverse()
    .map((date) => ({
      date,
      changes: ofDay.get(date) ?? [],
      minutes: minutes.get(date) ?? 0,
      unlocks: unlocks.filter((other) => other === date).length,
    }));
}

function timeline(days: readonly ActiveDay[], from: string, data: PageData): Html {
  const [shown, rest] = [days.slice(0, LISTED_DAYS), days.slice(LISTED_DAYS)];
  const items = (id: string, rows: readonly ActiveDay[]) =>
    list({
      ...{ id, rows, key: ({ date }: ActiveDay) => date, empty: '' },
      item: (one: ActiveDay) => html`${day(one.date)}: ${textOf(one)}`,
    });
  return html`${calendar({
    from,
    until: formatDate(data.now),
    counts: new Map(days.map((one) => [one.date, one.changes.length + one.unlocks + Math.sign(one.minutes)])),
    texts: new Map(days.map((one) => [one.date, textOf(one)])),
  })}
  ${items('day', shown)}
  ${
    rest.length > 0 &&
    html`<details id="earlier-days">
      <summary>${plural(rest.length, 'more day')}</summary>
      ${items('earlier-day', rest)}
    </details>`
  }`;
}

/** `1 record, 2 new entries, 3 better ratings, 1 achievement, played 3 h 20 min` */
function textOf({ changes, minutes, unlocks }: ActiveDay): string {
  const count = (isCounted: (one: Change) => boolean) => changes.filter(isCounted).length;
  const records = count(({ newRank }) => newRank === 1);
  const added = count(({ type, newRank }) => type === 'new' && newRank !== 1);
  const changed = count(({ type, newRank }) => type === 'updated' && newRank !== 1);
  const removed = count(({ type }) => type === 'removed');
  return [
    records > 0 && plural(records, 'record'),
    added > 0 && plural(added, 'new entry', 'new entries'),
    changed > 0 && plural(changed, 'changed rating'),
    removed > 0 && `${formatCount(removed)} removed`,
    unlocks > 0 && plural(unlocks, 'achievement'),
    minutes > 0 && `played ${playTimeText(minutes)}`,
  ]
    .filter((text) => text !== false)
    .join(', ');
}

function playPlot(played: Story['played'], { now }: PageData): Html {
  return part(played, (days) => (days.length === 0 ? html`` : playDaysPlot([{ label: 'Minutes', days }], now)));
}
