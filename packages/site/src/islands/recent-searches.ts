import type { Option } from './option-list.ts';

/** A chosen name, by its type. */
export interface RecentSearch extends Option {
  readonly type: string;
}

/** Stays in this browser. */
const KEY = 'lobbystats-recent';
const KEPT = 12;

/** Newest first; none without storage. */
export function recentSearches(): readonly RecentSearch[] {
  try {
    const stored = JSON.parse(localStorage.getItem(KEY) ?? '[]') as unknown;
    return Array.isArray(stored) ? stored.filter(isRecent).slice(0, KEPT) : [];
  } catch {
    return [];
  }
}

export function keepSearch({ text, note, href, type }: RecentSearch): void {
  const others = recentSearches().filter((other) => other.href !== href);
  store([{ text, note, href, type }, ...others].slice(0, KEPT));
}

export function forgetSearches(): void {
  store([]);
}

function store(searches: readonly RecentSearch[]): void {
  try {
    localStorage.setItem(KEY, JSON.stringify(searches));
  } catch {
    // Storage may be denied or full.
  }
}

/** Only paths of this site: what is stored may be anything. */
function isRecent(value: unknown): value is RecentSearch {
  if (typeof value !== 'object' || value === null) return false;
  const { text, note, href, type } = value as Record<string, unknown>;
  return [text, note, href, type].every((part) => typeof part === 'string') && /^\/(?![/\\])/.test(String(href));
}
