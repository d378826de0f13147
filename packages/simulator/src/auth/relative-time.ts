const MINUTE = 60;
const HOUR = 3_600;
const DAY = 86_400;

export function ago(seconds: number): string {
  if (seconds < MINUTE) return 'just now';
  if (seconds < HOUR) return `${counted(seconds / MINUTE, 'minute')} ago`;
  if (seconds < DAY) return `${counted(seconds / HOUR, 'hour')} ago`;
  return `${counted(seconds / DAY, 'day')} ago`;
}

export function duration(seconds: number): string {
  const minutes = counted((seconds % HOUR) / MINUTE, 'minute');
  return seconds < HOUR ? minutes : `${counted(seconds / HOUR, 'hour')} ${minutes}`;
}

function counted(count: number, unit: string): string {
  const whole = Math.floor(count);
  return `${whole} ${unit}${whole === 1 ? '' : 's'}`;
}
