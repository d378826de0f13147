import { operations, type Change, type OperationResponse } from '@lobbystats/contracts';
import { html, type Html } from '../../html.ts';
import { links } from '../../links.ts';
import type { PageData } from '../../page.ts';
import { list } from '../../parts/list.ts';
import { part, section } from '../../parts/part.ts';
import { recordText, type Records } from '../../parts/records.ts';
import { boardLink, formatCount, gameLink, name, playerLink, time, type Titles } from '../../parts/text.ts';
import type { FoundPlayer, Score } from '../../parts/find-player.ts';

const { listRivals } = operations;

export const rivalsOperations = [listRivals] as const;

type Rival = OperationResponse<typeof listRivals>['rivals'][number];

const LISTED = 8;

/** Records that the player holds, and those set in the last 90 days that others hold now. */
export function recordsSection(
  { scores }: Pick<FoundPlayer, 'scores'>,
  changes: readonly Change[] | undefined,
  records: Records,
  titles: Titles,
): Html {
  const content = part(scores, (all) => {
    const held = all.filter(({ rank }) => rank === 1);
    const lost = lostRecords(all, changes ?? []);
    return html`${list({
      ...{ id: 'held', rows: held.slice(0, LISTED), key: boardKey, empty: 'Holds no record' },
      item: (score) => heldItem(score, changes ?? [], records, titles),
    })}
    ${held.length > LISTED && html`<p class="hint">${formatCount(LISTED)} of ${formatCount(held.length)} are shown.</p>`}
    ${
      lost.length > 0 &&
      html`<h3>Lost in the last 90 days</h3>
        ${list({
          ...{ id: 'lost', rows: lost.slice(0, LISTED), key: ({ change }: LostRecord) => boardKey(change), empty: '' },
          item: (one: LostRecord) => lostItem(one, titles),
        })}`
    }`;
  });
  return section('held-records', 'Records', content);
}

/** Changes whose beaten entries are shown. */
export function shownRecords(changes: readonly Change[] | undefined): readonly Change[] {
  return (changes ?? []).filter(({ newRank }) => newRank === 1).slice(0, RECORDS_MAX);
}

const RECORDS_MAX = 50;

interface LostRecord {
  readonly change: Change;
  /** Undefined: not on the board any more. */
  readonly rank: number | undefined;
}

/** The latest record of each board on which the player is not rank 1 any more. @param changes newest first */
function lostRecords(scores: readonly Score[], changes: readonly Change[]): readonly LostRecord[] {
  const ranks = new Map(scores.toReversed().map((score) => [boardKey(score), score.rank]));
  const byBoard = Map.groupBy(
    changes.filter(({ newRank }) => newRank === 1),
    boardKey,
  );
  return [...byBoard.values()].flatMap(([change]) =>
    change === undefined || ranks.get(boardKey(change)) === 1 ? [] : [{ change, rank: ranks.get(boardKey(change)) }],
  );
}

/** `EmberFox took Old Pier from Oak85 by 0.056 s`, if that is known. */
function heldItem(score: Score, changes: readonly Change[], records: Records, titles: Titles): Html {
  const key = boardKey(score);
  const set = changes.find((change) => boardKey(change) === key && change.newRank === 1);
  const rating = html`<b>${score.timeFormatted === '' ? score.rating : score.timeFormatted}</b>`;
  return html`${name(score.playerName)}
    ${set === undefined ? html`holds ${boardLink(titles, score)}` : recordText(set, records.get(set.id), titles)}:
    ${rating}
    <p class="hint">
      ${gameLink(titles, score.titleId, score.gameName)}${set !== undefined && html` · since ${time(set.changedAt, 'exact')}`}
    </p>`;
}

function lostItem({ change, rank }: LostRecord, titles: Titles): Html {
  return html`${boardLink(titles, change)}
    <p class="hint">
      ${gameLink(titles, change.titleId, change.gameName)} · set ${time(change.changedAt, 'exact')} ·
      ${rank === undefined ? 'not on the board any more' : `now rank ${formatCount(rank)}`}
    </p>`;
}

function boardKey({ titleId, leaderboardId }: Pick<Score, 'titleId' | 'leaderboardId'>): string {
  return `${titleId}:${leaderboardId}`;
}

/** Players that passed this one in the last week. */
export async function rivalsSection({ playerName }: Pick<FoundPlayer, 'playerName'>, data: PageData): Promise<Html> {
  const found = await data.askPart(listRivals, { player: playerName }, { limit: LISTED });
  const content = part(found, ({ rivals }) =>
    list({
      ...{ id: 'rival', rows: rivals, empty: 'Nobody has passed this player in the last 7 days' },
      key: (rival) => `${boardKey(rival)} ${rival.playerName}`,
      item: (rival) => rivalItem(rival, playerName, data.titles),
    }),
  );
  return section('rivals', 'Rivals', content, 'who passed this player in the last 7 days');
}

function rivalItem(rival: Rival, playerName: string, titles: Titles): Html {
  const rating = rival.timeFormatted === '' ? rival.rating : rival.timeFormatted;
  return html`${playerLink(rival.playerName)} · ${boardLink(titles, rival, { around: rival.playerName })}
    <p class="hint">
      <b>${rating}</b> against ${rival.ownRating}, rank ${formatCount(rival.ownRank)} now ·
      ${gameLink(titles, rival.titleId, rival.gameName)} · ${time(rival.passedAt)} ·
      <a href="${links.compare({ players: `${playerName},${rival.playerName}` })}">compare</a>
    </p>`;
}
