import { BOARDS_PER_TITLE_MAX } from '@lobbystats/contracts';
import { UnparseablePageError } from '../network/page-failures.ts';
import { boundMatches } from '../network/slot-observation.ts';
import { withinTitles, type TitleBound } from '../titles/title-bound.ts';
import type { BoardHistory, PastBoard, PlayerHistory, ReadPart, SnapshotHistory } from '../network/history.ts';

/** Parts of one feed, at most: a feed without an end would take the requests of live pages. */
const PARTS_MAX = 10_000;

export interface Histories {
  readonly history: SnapshotHistory | undefined;
  readonly boardHistory: BoardHistory | undefined;
  readonly playerHistory: PlayerHistory | undefined;
}

/** Leaves titles, matches, and leaderboards of a title, out of history feeds that have too many of them. */
export function boundHistories({ history, boardHistory, playerHistory }: Histories, titles: TitleBound): Histories {
  return {
    history: history && boundSnapshots(history, titles),
    boardHistory: boardHistory && boundBoards(boardHistory, titles),
    playerHistory: playerHistory && boundPlayers(playerHistory, titles),
  };
}

function boundSnapshots(history: SnapshotHistory, titles: TitleBound): SnapshotHistory {
  return {
    async *slots(from, to) {
      const isAdmitted = await titles();
      for await (const slot of history.slots(from, to)) {
        yield boundMatches({ ...slot, titles: slot.titles.filter(({ titleId }) => isAdmitted(titleId)) });
      }
    },
    days: (from, to) => history.days(from, to),
  };
}

function boundBoards(history: BoardHistory, titles: TitleBound): BoardHistory {
  const boardsOf = new Map<string, Set<number>>();
  const hasRoom = ({ titleId, leaderboardId }: PastBoard) => {
    const boards = boardsOf.get(titleId) ?? new Set();
    boardsOf.set(titleId, boards);
    if (boards.size < BOARDS_PER_TITLE_MAX) boards.add(leaderboardId);
    return boards.has(leaderboardId);
  };
  const read = boundParts(history.part);
  return {
    part: async (...asked) => {
      const part = await read(...asked);
      const isAdmitted = await titles();
      return part && { ...part, boards: part.boards.filter((board) => isAdmitted(board.titleId) && hasRoom(board)) };
    },
  };
}

function boundPlayers(history: PlayerHistory, titles: TitleBound): PlayerHistory {
  const read = boundParts(history.part);
  return {
    part: async (...asked) => {
      const part = await read(...asked);
      const isAdmitted = await titles();
      const players = part?.players.map((player) => ({
        ...player,
        spans: player.spans.map((span) => withinTitles(span, isAdmitted)),
      }));
      return part && players && { ...part, players };
    },
  };
}

/** @throws UnparseablePageError for a feed with too many parts; it is not asked again in that slot */
function boundParts<Part>(read: ReadPart<Part>): ReadPart<Part> {
  let parts = 0;
  return async (...asked) => {
    if (parts >= PARTS_MAX) throw new UnparseablePageError(`it has more than ${PARTS_MAX} parts`, { isFinal: true });
    parts += 1;
    return read(...asked);
  };
}
