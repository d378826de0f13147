import type { SourceForms } from '../network/source-forms.ts';
import type { SavedPageName } from './saved-page.ts';

type Groups = Readonly<Record<string, string>>;

interface Pattern {
  /** Matches a path with its query. */
  pattern: RegExp;
  nameOf: (groups: Groups) => SavedPageName;
}

/** Values that no URL has otherwise, and what stands for them in a pattern. */
const TITLE = 'fffffff1';
const BOARD = 987_654_321;
const PAGE = 876_543_219;
const GROUPS = [
  [TITLE, '(?<titleId>[0-9a-f]{8})'],
  [String(BOARD), String.raw`(?<leaderboardId>\d{1,10})`],
  [String(PAGE), String.raw`(?<page>[1-9]\d{0,8})`],
] as const;

/** Names the source of a saved page by its URL, on any host. Undefined for a URL of no source. */
export function namesOfUrls(forms: SourceForms): (url: string) => SavedPageName | undefined {
  const patterns = patternsOf(forms);
  return (url) => {
    const { pathname, search } = new URL(url);
    for (const { pattern, nameOf } of patterns) {
      const match = pattern.exec(pathname + search);
      if (match !== null) return nameOf(match.groups ?? {});
    }
    return undefined;
  };
}

/** Leaderboards come before titles, whose URLs may be the beginnings of theirs. */
function patternsOf({ homepage, titles, leaderboards, events, players }: SourceForms): Pattern[] {
  const key = { titleId: TITLE, leaderboardId: BOARD, page: PAGE };
  const boardOf = ({ titleId = '', leaderboardId, page = '1' }: Groups): SavedPageName => {
    const board = { titleId: titleId.toLowerCase(), leaderboardId: Number(leaderboardId) };
    return { page: 'board', board, number: Number(page) };
  };
  const gameOf = ({ titleId = '' }: Groups): SavedPageName => ({ page: 'game', titleId: titleId.toLowerCase() });
  return [
    { pattern: patternOf(homepage.url({})), nameOf: () => ({ page: 'home' }) },
    ...(leaderboards === null ? [] : [{ pattern: patternOf(leaderboards.url(key)), nameOf: boardOf }]),
    ...(titles === null ? [] : [{ pattern: patternOf(titles.url({ titleId: TITLE })), nameOf: gameOf }]),
    ...(events === null ? [] : [{ pattern: patternOf(events.url({})), nameOf: () => ({ page: 'events' as const }) }]),
    ...(players === null
      ? []
      : [{ pattern: patternOf(players.url({ since: null })), nameOf: () => ({ page: 'players' as const }) }]),
  ];
}

function patternOf(url: string): RegExp {
  const { pathname, search } = new URL(url);
  let pattern = RegExp.escape(pathname + search);
  for (const [value, group] of GROUPS) pattern = pattern.replace(value, group);
  return new RegExp(`^${pattern}${search === '' ? String.raw`(?:\?.*)?` : ''}$`, 'i');
}
