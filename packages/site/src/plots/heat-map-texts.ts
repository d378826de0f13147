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
