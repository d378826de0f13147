/** What fulfils an achievement. Counts are reached when they are at least as high, ranks when they are at least as good. */
export type Rule =
  | { readonly kind: 'play-minutes'; readonly minutes: number }
  | { readonly kind: 'play-minutes-in-title'; readonly titleId: string; readonly minutes: number }
  | { readonly kind: 'titles-played'; readonly count: number }
  | { readonly kind: 'leaderboard-rank'; readonly rank: number; readonly titleId?: string | undefined }
  | { readonly kind: 'leaderboards-on'; readonly count: number }
  | { readonly kind: 'ratings-given'; readonly count: number }
  | { readonly kind: 'sessions-hosted'; readonly count: number };

/** Achievements that belong together: a game's, or the site's own. */
export interface AchievementGroup {
  readonly groupId: string;
  readonly titleId: string | null;
  readonly displayName: string;
  readonly imageUrl: string;
}

/** An achievement with its true name: what others may know of a hidden one is for the views. */
export interface Definition {
  readonly id: number;
  readonly key: string;
  readonly name: string;
  readonly description: string;
  readonly points: number;
  readonly isHidden: boolean;
  readonly group: AchievementGroup;
  readonly rule: Rule;
}

/** The definitions of the file. */
export interface Definitions {
  /** Changes with the file's meaning, not with its spacing. */
  readonly digest: string;
  /** By id. */
  readonly all: readonly Definition[];
  /** In the file's order. */
  readonly groups: readonly AchievementGroup[];
}
