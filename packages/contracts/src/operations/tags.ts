/**
 * Cache tags: the joint between a fact and the answers that it makes stale. A fact bears the tags of what it changed, an
 * operation those of what it shows.
 */
export const tags = {
  /** The newest slot: everything that is counted every five minutes. */
  slots: 'slots',
  /** Registered counts and daily statistics. */
  daily: 'daily',
  /** The set of titles and their names. */
  titles: 'titles',
  /** One title's own data. */
  title: (titleId: string): string => `title:${titleId}`,
} as const;
