import { BOARD_PASS_SECONDS } from '@lobbystats/contracts';
import type { BoardKey } from './board.ts';
import type { PageValidators } from './board-crawl-state.ts';
import type { BoardPageResponse, BoardSite } from './board-site.ts';
import { PageFailure } from '../network/page-failures.ts';
import type { OnPage } from '../replay/saved-page.ts';
import { slotAt } from '../slots/slot-times.ts';
import type { Telemetry } from '../telemetry/telemetry.ts';
import type { Parse } from '../parsing/parse-task.process.ts';
import { conditionalHeaders, validatorsOf } from '../network/conditional-headers.http.ts';
import { expectDateIn, htmlBodyOf } from '../network/html-response.http.ts';
import type { RateLimitedClient } from '../network/rate-limited-client.http.ts';

const PAGE = { timeoutMs: 10_000, maxBytes: 5 * 1024 * 1024 };

export interface NetworkBoardsParts {
  client: RateLimitedClient;
  telemetry: Telemetry;
  parse: Parse;
  now: () => number;
  networkUrl: string;
  /**
   * Allowed distance of a page's `Date` from the time between the pass's start and the end of the slot in which it came.
   */
  toleranceSeconds: number;
  onPage?: OnPage;
}

export function createNetworkBoards(parts: NetworkBoardsParts): BoardSite {
  const { client, telemetry, parse, now, networkUrl, toleranceSeconds, onPage } = parts;
  return {
    async boardPage(board, page, deadlineMs, validators) {
      const url = addressOf(board, page);
      try {
        const answer = await ask(url, deadlineMs, validators);
        if (answer.kind !== 'absent') telemetry.pageRead('board', answer.kind);
        return answer;
      } catch (error) {
        if (error instanceof PageFailure) telemetry.pageFailed('board', url, error);
        throw error;
      }
    },
  };

  function addressOf({ titleId, leaderboardId }: BoardKey, page: number): string {
    return `${networkUrl}/games/${titleId}/leaderboards/${leaderboardId}?page=${page}`;
  }

  async function ask(url: string, deadlineMs: number, last: PageValidators | undefined): Promise<BoardPageResponse> {
    const known = onPage === undefined ? last : undefined;
    await client.acquire(deadlineMs, 'last');
    const asked = slotAt(now());
    const pass = asked - (asked % BOARD_PASS_SECONDS);
    const answer = await client.get(url, { Accept: 'text/html', ...conditionalHeaders(known) }, PAGE);
    // A stale cache would undo changes that were published since.
    expectDateIn([pass, slotAt(now())], answer, toleranceSeconds);
    if (answer.status === 404 || answer.status === 410) return { kind: 'absent' };
    const html = htmlBodyOf(answer, known !== undefined);
    if (html === undefined) return { kind: 'unchanged' };
    const page = await parse('board', html);
    onPage?.(url, html.toString());
    return { kind: 'read', page, validators: validatorsOf(answer) };
  }
}
