/** Counts must be at least the bound, ranks at most. */
export type Rule =
  | { readonly kind: 'play-minutes'; readonly minutes: number }
  | { readonly kind: 'play-minutes-in-title'; readonly titleId: string; readonly minutes: number }
  | { readonly kind: 'titles-played'; readonly count: number }
  | { readonly kind: 'leaderboard-rank'; readonly rank: number; readonly titleId?: string | undefined }
  | { readonly kind: 'leaderboards-on'; readonly count: number }
  | { readonly kind: 'ratings-given'; readonly count: number }
  | { readonly kind: 'sessions-hosted'; readonly count: number };

export interface AchievementGroup {
  readonly groupId: string;
  readonly titleId: string | null;
  readonly displayName: string;
  readonly imageUrl: string;
}

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

export interface Definitions {
  /** Changes with content, not with white space. */
  readonly digest: string;
  readonly all: readonly Definition[];
  readonly groups: readonly AchievementGroup[];
}
