import { BOARD_ENTRIES_MAX, type EpochSeconds } from '@lobbystats/contracts';
import { hasCode } from '@lobbystats/contracts/errors';
import { boardIdOf, boardDigest, type BoardContent, type BoardKey, type ListedBoard } from '../leaderboards/board.ts';
import { passOf } from '../leaderboards/board-schedule.ts';
import { readBoard } from '../leaderboards/read-board.ts';
import type { ReplayParts } from './saved-page.ts';
import { PageFailure } from '../network/page-failures.ts';
import type { BoardPageReading, BoardSource } from '../network/network.ts';

interface SavedBoardPage {
  line: number;
  board: BoardKey;
  number: number;
  at: EpochSeconds;
  reading: BoardPageReading;
}

interface BoardInPass {
  readonly key: BoardKey;
  readonly line: number;
  pages: SavedBoardPage[];
  read?: { readonly seenAt: EpochSeconds; readonly content: BoardContent };
  isDone: boolean;
}

const MAX_BUFFERED_ENTRIES = 2 * BOARD_ENTRIES_MAX;

/**
 * Publishes saved pages of boards by the rules of live reading. The first reading of a pass whose pages fit together
 * counts; it is published once the board's name is known, if it changed.
 */
export function createSavedBoards({ publisher, onFault }: Pick<ReplayParts, 'publisher' | 'onFault'>) {
  const names = new Map<string, string>();
  const latest = new Map<string, { digest: string; pass: EpochSeconds }>();
  const boards = new Map<string, BoardInPass>();
  let [pass, publishedCount]: [EpochSeconds, number] = [0, 0];

  return {
    async addListing(titleId: string, listed: readonly ListedBoard[]): Promise<void> {
      for (const { id, name } of listed) {
        const key = boardIdOf({ titleId, leaderboardId: id });
        names.set(key, name);
        const board = boards.get(key);
        if (board !== undefined) await publish(board);
      }
    },
    /** Pages of a board must come in the order in which they were read; the last one publishes it. */
    async addPage(page: SavedBoardPage): Promise<void> {
      if (passOf(page.at) !== pass) end();
      pass = passOf(page.at);
      const id = boardIdOf(page.board);
      const board = boards.get(id) ?? { key: page.board, line: page.line, pages: [], isDone: false };
      boards.set(id, board);
      if (board.isDone || board.read !== undefined) return;
      await addToReading(board, page);
      await publish(board);
    },
    endPass: end,
    get publishedCount() {
      return publishedCount;
    },
  };

  function end(): void {
    for (const { key, line, read, isDone } of boards.values()) {
      if (isDone) continue;
      const what = `the board ${key.leaderboardId} of ${key.titleId}`;
      const why = read === undefined ? 'has no complete reading' : 'is not listed by a page of its title';
      onFault(line, `${what} ${why}: skipped`);
    }
    boards.clear();
  }

  async function publish(board: BoardInPass): Promise<void> {
    const { key, line, read, isDone } = board;
    const id = boardIdOf(key);
    const name = names.get(id);
    if (isDone || read === undefined || name === undefined) return;
    board.isDone = true;
    const digest = boardDigest(name, read.content);
    const before = latest.get(id);
    if (before?.digest === digest) {
      await publisher.confirmBoard({ ...key, pass: before.pass, seenAt: read.seenAt }, { past: true });
      return;
    }
    try {
      await publisher.publishBoard({ ...key, name, pass, seenAt: read.seenAt, board: read.content }, { past: true });
      latest.set(id, { digest, pass });
      publishedCount += 1;
    } catch (error) {
      if (!hasCode(error, 'invalid')) throw error;
      onFault(line, `the board ${key.leaderboardId} of ${key.titleId} is invalid for a message: ${error.message}`);
    }
  }
}

async function addToReading(board: BoardInPass, page: SavedBoardPage): Promise<void> {
  board.pages.push(page);
  if (page.number === 1) {
    const content = (await contentOf(board.pages)) ?? (await contentOf([page]));
    if (content === undefined) board.pages = [page];
    else board.read = { seenAt: page.at, content };
  }
  const entries = board.pages.reduce((sum, { reading }) => sum + reading.rows.length, 0);
  if (board.read !== undefined || entries > MAX_BUFFERED_ENTRIES) board.pages = [];
}

async function contentOf(pages: readonly SavedBoardPage[]): Promise<BoardContent | undefined> {
  const [first] = pages;
  if (first === undefined) return undefined;
  try {
    const reading = await readBoard(siteOf(pages), first.board, Infinity, []);
    return reading.kind === 'read' ? reading.content : undefined;
  } catch (error) {
    if (error instanceof PageFailure) return undefined;
    throw error;
  }
}

function siteOf(pages: readonly SavedBoardPage[]): BoardSource {
  const left = [...pages];
  return {
    boardPage: (_, number) => {
      const page = left.shift();
      if (page?.number !== number)
        return Promise.reject(new PageFailure('inconsistent', 'The next saved page is another one'));
      return Promise.resolve({ kind: 'read', page: page.reading, validators: { etag: null, lastModified: null } });
    },
  };
}
