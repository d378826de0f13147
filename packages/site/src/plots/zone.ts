/** The time in which instants are named. */
export interface Zone {
  /** Follows a time of day: ` UTC`; nothing for the reader's own time. */
  readonly suffix: string;
  /** Milliseconds to add to an instant, so that its UTC fields are those of the zone. */
  readonly offset: (ms: number) => number;
}

export const UTC: Zone = { suffix: ' UTC', offset: () => 0 };

/** `2026-01-31` of an instant. */
export function dateOf(ms: number, { offset }: Zone): string {
  return new Date(ms + offset(ms)).toISOString().slice(0, 10);
}

/** `18:05` of an instant. */
export function minuteOf(ms: number, { offset }: Zone): string {
  return new Date(ms + offset(ms)).toISOString().slice(11, 16);
}
