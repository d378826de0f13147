import type { Option } from './option-list.ts';
import { isSitePath, readStored, store } from './stored.ts';

/** A chosen name, by its type. */
export interface RecentSearch extends Option {
  readonly type: string;
}

/** Stays in this browser. */
const KEY = 'lobbystats-recent';
const KEPT = 12;

/** Newest first; none without storage. */
export function recentSearches(): readonly RecentSearch[] {
  const stored = readStored(KEY);
  return Array.isArray(stored) ? stored.filter(isRecent).slice(0, KEPT) : [];
}

export function keepSearch({ text, note, href, type }: RecentSearch): void {
  const others = recentSearches().filter((other) => other.href !== href);
  store(KEY, [{ text, note, href, type }, ...others].slice(0, KEPT));
}

export function forgetSearches(): void {
  store(KEY, []);
}

/** Checks what is stored, which may be anything. */
function isRecent(value: unknown): value is RecentSearch {
  if (typeof value !== 'object' || value === null) return false;
  const { text, note, href, type } = value as Record<string, unknown>;
  return [text, note, type].every((part) => typeof part === 'string') && isSitePath(href);
}
