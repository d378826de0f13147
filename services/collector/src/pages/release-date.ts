const MONTHS = 'january february march april may june july august september october november december'.split(' ');

/** A release date as pages write it, `15 November 2001`, `November 15, 2001` or `2001-11-15`, as `YYYY-MM-DD`; else `""`. */
export function readReleaseDate(text: string): string {
  const iso = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text);
  if (iso !== null) return realDate(Number(iso[1]), Number(iso[2]), Number(iso[3]));
  const worded = /^(\d{1,2}) ([a-z]+),? (\d{4})$/i.exec(text);
  if (worded !== null) return realDate(Number(worded[3]), monthOf(worded[2]), Number(worded[1]));
  const american = /^([a-z]+) (\d{1,2}),? (\d{4})$/i.exec(text);
  if (american !== null) return realDate(Number(american[3]), monthOf(american[1]), Number(american[2]));
  return '';
}

function monthOf(name = ''): number {
  const word = name.toLowerCase();
  return word.length < 3 ? 0 : MONTHS.findIndex((month) => month.startsWith(word)) + 1;
}

/** `""` for a date that doesn't exist, such as 31 February. */
function realDate(year: number, month: number, day: number): string {
  const date = new Date(Date.UTC(year, month - 1, day));
  const isReal = date.getUTCFullYear() === year && date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
  return isReal ? date.toISOString().slice(0, 10) : '';
}
