import { formatRaceTime, isolated, plainText, type Change } from '@lobbystats/contracts';

/** One line without markup, such as `Ember Fox is rank 1 of Old Pier (Harbor Racing)`. */
export function changeTitle({ type, playerName, newRank, leaderboardName, gameName }: Change): string {
  const where = gameName === '' ? isolated(leaderboardName) : plainText`${leaderboardName} (${gameName})`;
  if (type === 'removed' || newRank === null) return plainText`${playerName} is no longer on ` + where;
  return plainText`${playerName} is ${type === 'new' ? 'new at ' : ''}rank ${newRank} of ` + where;
}

/** Ranks and ratings before and after: `Rank 5 → 3. Time 0:50.100 → 0:49.300.` */
export function changeSummary(change: Change): string {
  const { oldRank, newRank, isTime } = change;
  const rating = isTime
    ? fromTo('Time', timeText(change.oldTimeMs), timeText(change.newTimeMs))
    : fromTo('Rating', change.oldRating, change.newRating);
  return [fromTo('Rank', oldRank, newRank), rating].filter((part) => part !== '').join(' ');
}

function timeText(ms: number | null): string | null {
  return ms === null ? null : formatRaceTime(ms);
}

type Value = string | number | null;

function fromTo(label: string, before: Value, after: Value): string {
  const values = [...new Set([before, after])].filter((value) => value !== null);
  return values.length === 0 ? '' : `${label} ${values.map((value) => isolated(String(value))).join(' → ')}.`;
}
