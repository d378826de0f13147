/** `m:ss.mmm`, minutes unpadded: `0:49.300`. */
export function formatRaceTime(ms: number): string {
  const seconds = Math.floor(ms / 1000);
  const rest = `${String(seconds % 60).padStart(2, '0')}.${String(ms % 1000).padStart(3, '0')}`;
  return `${Math.floor(seconds / 60)}:${rest}`;
}
