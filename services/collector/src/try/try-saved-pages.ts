import { messageOf } from '@lobbystats/errors';
import type { SourceForms } from '../network/source-forms.ts';
import { parseSavedPage } from '../replay/saved-page.ts';
import type { SavedLine } from '../replay/replay.ts';
import { describeReading, sourceLine } from './describe-reading.ts';

type Describe = (body: string, seenAt: number) => Promise<string>;

interface PageKind {
  source: string;
  /** Matches a path with its query. */
  pattern: RegExp;
  describe: Describe;
}

/** Reads saved pages with the readers of their sources. Returns the exit code of `network try`. */
export async function trySavedPages(
  lines: AsyncIterable<SavedLine>,
  forms: SourceForms,
  say: (line: string) => void,
): Promise<0 | 1 | 2> {
  const kinds = kindsOf(forms);
  let [read, refused] = [0, 0];
  for await (const { number, text = '' } of lines) {
    if (text.trim() === '') continue;
    let source = `line ${number}`;
    try {
      const { url, at, body } = parseSavedPage(text);
      const { pathname, search } = new URL(url);
      const kind = kinds.find(({ pattern }) => pattern.test(pathname + search));
      if (kind === undefined) throw new Error(`${url.slice(0, 200)} is of no source`);
      ({ source } = kind);
      say(sourceLine(source, `${pathname}: ${await kind.describe(body, at)}`));
      read += 1;
    } catch (error) {
      refused += 1;
      say(sourceLine(source, `line ${number} refused: ${messageOf(error)}`));
    }
  }
  if (read === 0) return 1;
  return refused === 0 ? 0 : 2;
}

const TITLE = 'fffffff1';
const BOARD = 987_654_321;
const PAGE = 876_543_219;

/** Leaderboards before titles, whose paths may be the beginnings of theirs. */
function kindsOf({ homepage, titles, leaderboards, events, players }: SourceForms): PageKind[] {
  const boardKey = { titleId: TITLE, leaderboardId: BOARD, page: PAGE };
  return [
    kindOf('homepage', homepage, {}, describeReading.homepage),
    ...(leaderboards === null ? [] : [kindOf('leaderboards', leaderboards, boardKey, describeReading.leaderboards)]),
    ...(titles === null ? [] : [kindOf('titles', titles, { titleId: TITLE }, describeReading.titles)]),
    ...(events === null ? [] : [kindOf('events', events, {}, describeReading.events)]),
    ...(players === null ? [] : [kindOf('players', players, { since: null }, describeReading.players)]),
  ];
}

function kindOf<Values, Reading>(
  source: string,
  form: { url(values: Values): string; read(body: string, values: Values, seenAt: number): Promise<Reading> },
  values: Values,
  describe: (reading: Reading) => string,
): PageKind {
  const { pathname, search } = new URL(form.url(values));
  const pattern = RegExp.escape(pathname + search)
    .replace(TITLE, '[0-9a-f]{8}')
    .replace(String(BOARD), String.raw`\d{1,10}`)
    .replace(String(PAGE), String.raw`\d{1,9}`);
  return {
    source,
    pattern: new RegExp(`^${pattern}${search === '' ? String.raw`(?:\?.*)?` : ''}$`, 'i'),
    describe: async (body, seenAt) => describe(await form.read(body, values, seenAt)),
  };
}
