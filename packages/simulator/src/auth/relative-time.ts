const MINUTE = 60;
const HOUR = 3_600;
const DAY = 86_400;

export function formatAgo(seconds: number): string {
  if (seconds < MINUTE) return 'just now';
  if (seconds < HOUR) return `${pluralize(seconds / MINUTE, 'minute')} ago`;
  if (seconds < DAY) return `${pluralize(seconds / HOUR, 'hour')} ago`;
  return `${pluralize(seconds / DAY, 'day')} ago`;
}

export function formatDuration(seconds: number): string {
  const minutes = pluralize((seconds % HOUR) / MINUTE, 'minute');
  return seconds < HOUR ? minutes : `${pluralize(seconds / HOUR, 'hour')} ${minutes}`;
}

function pluralize(count: number, unit: string): string {
  const whole = Math.floor(count);
  return `${whole} ${unit}${whole === 1 ? '' : 's'}`;
}
