/** Shades of the cells, `level-0` to `level-9`. */
const LEVEL_MAX = 9;
const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];

export function weekdayName(day: number): string {
  return WEEKDAYS[day] ?? '';
}

/** Class of a cell. @param most the greatest mean of the table */
export function heatLevel(mean: number, most: number): string {
  return `level-${most === 0 ? 0 : Math.round((LEVEL_MAX * mean) / most)}`;
}

const means = new Intl.NumberFormat('en', { minimumFractionDigits: 1, maximumFractionDigits: 1 });
const counts = new Intl.NumberFormat('en');

/** One decimal below 10. */
export function heatText(mean: number): string {
  return mean > 0 && mean < 9.95 ? means.format(mean) : counts.format(Math.round(mean));
}

/** `Mondays from 20:30 to 21:30`. @param weekHour hours since Monday 00:00, with a fraction */
export function weekHourText(weekHour: number): string {
  return `${weekdayName(Math.floor(weekHour / 24))}s from ${clock(weekHour)} to ${clock(weekHour + 1)}`;
}

function clock(hour: number): string {
  const [whole, minutes] = [Math.floor(hour) % 24, Math.round((hour % 1) * 60)];
  return `${String(whole).padStart(2, '0')}:${String(minutes).padStart(2, '0')}`;
}

const EVENING_HOURS = [20, 21, 22];

/**
 * `Tonight 20–23 h: about 45 players`; from 23 h on, of the next evening. Empty if the hours are not known.
 *
 * @param averages by hours since Monday 00:00 @param weekHour of now, the same
 */
export function eveningText(averages: readonly (number | undefined)[], weekHour: number, zone: string): string {
  const isOver = weekHour % 24 >= 23;
  const day = (Math.floor(weekHour / 24) + (isOver ? 1 : 0)) % 7;
  const known = EVENING_HOURS.map((hour) => averages[24 * day + hour]).filter((one) => one !== undefined);
  if (known.length === 0) return '';
  const average = Math.round(known.reduce((sum, one) => sum + one, 0) / known.length);
  const players =
    average === 0 ? 'hardly anybody' : `about ${counts.format(average)} ${average === 1 ? 'player' : 'players'}`;
  return `${isOver ? 'Tomorrow' : 'Tonight'} 20–23 h${zone}: ${players}`;
}

/** Hours from Monday 00:00 UTC to an instant, modulo a week. */
export function weekHourOf(ms: number): number {
  // The first instant was a Thursday.
  return Math.floor(ms / 3_600_000 + 3 * 24) % 168;
}
