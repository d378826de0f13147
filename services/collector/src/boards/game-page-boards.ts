import type { BoardSource, NetworkSource } from '../network/network.ts';
import { UnparseablePageError } from '../network/page-failures.ts';
import { slotAt } from '../time/slot-times.ts';

/** Leaderboards of a network that shows them on the pages of its games. Each is one page. */
export function boardsOfGamePages(
  { gamePage }: Pick<NetworkSource, 'gamePage'>,
  { now }: { now: () => number },
): BoardSource {
  return {
    async boardPage({ titleId, leaderboardId }, _page, deadlineMs) {
      const { shownBoards = [] } = await gamePage(titleId, { slot: slotAt(now()), deadlineMs, matches: false });
      const shown = shownBoards.find(({ id }) => id === leaderboardId);
      if (shown === undefined) {
        throw new UnparseablePageError("the page of the game doesn't show this leaderboard", { isFinal: true });
      }
      return { kind: 'read', page: shown.page, validators: { etag: null, lastModified: null } };
    },
  };
}
