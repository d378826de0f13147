import { links, type Values } from '../../links.ts';

export const playerTabs = ['overview', 'leaderboards', 'achievements', 'ratings'] as const;
export type PlayerTab = (typeof playerTabs)[number];

/** The tab that a URL names, or that has what it asks for. */
export function tabOf({
  tab,
  ...query
}: Omit<PlayerQuery, 'tab'> & { readonly tab?: PlayerTab | undefined }): PlayerTab {
  if (tab !== undefined) return tab;
  if (query.feedbackOffset > 0) return 'ratings';
  return query.history !== undefined || query.ranksOffset > 0 || query.sort !== 'rank' ? 'leaderboards' : 'overview';
}

/** Query of the page of a player, with defaults. */
export interface PlayerQuery {
  readonly tab: PlayerTab;
  readonly sort: 'rank' | 'game';
  readonly ranksOffset: number;
  /** A leaderboard: `<title ID>:<number>`. */
  readonly history?: string | undefined;
  readonly days: number;
  readonly feedbackOffset: number;
}

/** The same page with other values of its query; undefined ones are left out. */
export type PlayerUrl = (changed: Values, fragment?: string) => string;

/** @param defaults are left out of URLs */
export function playerUrl(name: string, query: PlayerQuery, defaults: Values): PlayerUrl {
  return (changed, fragment) => {
    const values = Object.entries({ ...query, ...changed }).filter(([key, value]) => value !== defaults[key]);
    return links.player(name, Object.fromEntries(values)) + (fragment === undefined ? '' : `#${fragment}`);
  };
}
