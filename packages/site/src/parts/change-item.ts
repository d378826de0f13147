import { formatRaceTime, type Change } from '@lobbystats/contracts';
import { html, type Html } from '../html.ts';
import { list } from './list.ts';
import { recordText, type Records } from './records.ts';
import { boardLink, gameLink, name, playerLink, time, type Titles } from './text.ts';

export interface Changes {
  readonly titles: Titles;
  readonly changes: readonly Change[];
  readonly records: Records;
  readonly empty: string;
  /** Whose page it is: the name is left out. */
  readonly isOfOnePlayer?: boolean;
  /** The page of their game: its name is left out. */
  readonly isOfOneGame?: boolean;
}

/** Changes of leaderboards, each as a sentence with its rating and time. */
export function changeList({ titles, changes, records, empty, isOfOnePlayer, isOfOneGame }: Changes): Html {
  return list({
    id: 'change',
    rows: changes,
    key: ({ id }) => id,
    empty,
    item: (change) => {
      const told = sentence(change, records, titles);
      const isRecord = records.has(change.id);
      return html`${isOfOnePlayer === true ? html`<p class="told">${told}</p>` : html`${playerLink(change.playerName)} ${told}`}
        ${isRecord && html`<span class="tag record">record</span>`}
        <p class="hint">
          ${ratings(change)} ·
          ${isOfOneGame !== true && html`${gameLink(titles, change.titleId, change.gameName)} · `}${time(change.changedAt)}
        </p>`;
    },
  });
}

/** Returns what happened, as the text after the player's name. */
function sentence(change: Change, records: Records, titles: Titles): Html {
  const { type, oldRank, newRank } = change;
  const board = boardLink(titles, change);
  if (records.has(change.id)) return recordText(change, records.get(change.id), titles);
  if (type === 'removed') return html`is no longer on ${board} (was rank ${oldRank})`;
  if (type === 'new') return html`entered ${board} at rank ${newRank}`;
  if (oldRank === newRank) return html`improved on ${board}, still at rank ${newRank}`;
  return html`${Number(newRank) < Number(oldRank) ? 'climbed' : 'went'} from rank ${oldRank} to ${newRank} on ${board}`;
}

/** `0:49.300, before 0:50.100`. */
function ratings({ isTime, oldTimeMs, newTimeMs, oldRating, newRating }: Change): Html {
  const text = (ms: number | null, rating: string | null) => (isTime && ms !== null ? formatRaceTime(ms) : rating);
  const [before, after] = [text(oldTimeMs, oldRating), text(newTimeMs, newRating)];
  if (after === null) return name(before ?? '');
  return html`${name(after)}${before !== null && before !== after && html`, before ${name(before)}`}`;
}
