/** Words for counts and instants. Instants are epoch seconds. */

const relative = new Intl.RelativeTimeFormat('en');
const moment = (/** @type {string | undefined} */ timeZone) =>
  new Intl.DateTimeFormat('en-GB', { timeZone, day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' });
const utc = moment('UTC');
const local = moment(undefined);

/** `12,345`. */
export const { format: formatCount } = new Intl.NumberFormat('en');

/** `800`, `2.5K`. */
export const { format: formatTick } = new Intl.NumberFormat('en', { notation: 'compact' });

/** `1 host`, `2 hosts`. @param {number} count @param {string} noun */
export const plural = (count, noun) => `${formatCount(count)} ${noun}${count === 1 ? '' : 's'}`;

/** `14:35`, in UTC. @param {number} at */
export const formatClock = (at) => new Date(at * 1000).toISOString().slice(11, 16);

/** `21 Nov`, in UTC. @param {number} at */
export const formatDay = (at) => utc.format(at * 1000).replace(/,.*/, '');

/** `21 Nov, 14:35 UTC · 21 Nov, 15:35 your time`, the latter where it differs. @param {number} at */
export function formatMoment(at) {
  const [here, there] = [local.format(at * 1000), utc.format(at * 1000)];
  return here === there ? `${there} UTC` : `${there} UTC · ${here} your time`;
}

/** `14:35 UTC`, with the day when that is long ago. @param {number} at @param {number} now */
export const formatInstant = (at, now) => `${now - at < 86_400 ? formatClock(at) : utc.format(at * 1000)} UTC`;

/** `2 minutes ago`. The future counts as now: clocks differ a little. @param {number} seconds */
export function formatAge(seconds) {
  if (seconds < 60) return 'less than a minute ago';
  if (seconds < 5400) return relative.format(-Math.floor(seconds / 60), 'minute');
  if (seconds < 172_800) return relative.format(-Math.floor(seconds / 3600), 'hour');
  return relative.format(-Math.floor(seconds / 86_400), 'day');
}
