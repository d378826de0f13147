import { BOARD_PASS_SECONDS } from '@lobbystats/contracts';
import type { BoardKey } from './board.ts';
import type { PageValidators } from '../network/page-cache.ts';
import type { BoardPageResponse, BoardSource } from '../network/network.ts';
import { slotAt } from '../slots/slot-times.ts';
import { conditionalHeaders, validatorsOf, expectDateIn, htmlBodyOf } from '../network/responses.http.ts';
import { reportFailures, type SiteParts } from '../network/site-requests.http.ts';

const PAGE = { timeoutMs: 10_000, maxBytes: 5 * 1024 * 1024 };

export function createNetworkBoards(parts: SiteParts): BoardSource {
  const { client, telemetry, parse, now, networkUrl, toleranceSeconds, onPage } = parts;
  return {
    boardPage(board, page, deadlineMs, validators) {
      const url = addressOf(board, page);
      return reportFailures('board', url, parts, async () => {
        const answer = await ask(url, deadlineMs, validators);
        if (answer.kind !== 'absent') telemetry.pageRead('board', answer.kind);
        return answer;
      });
    },
  };

  function addressOf({ titleId, leaderboardId }: BoardKey, page: number): string {
    return `${networkUrl}/games/${titleId}/leaderboards/${leaderboardId}?page=${page}`;
  }

  async function ask(url: string, deadlineMs: number, last: PageValidators | undefined): Promise<BoardPageResponse> {
    const known = onPage === undefined ? last : undefined;
    const turn = await client.takeTurn(deadlineMs, 'last');
    const asked = slotAt(now());
    const pass = asked - (asked % BOARD_PASS_SECONDS);
    const answer = await turn.get(url, { Accept: 'text/html', ...conditionalHeaders(known) }, PAGE);
    // A stale cache would undo changes that were published since.
    expectDateIn([pass, slotAt(now())], answer, toleranceSeconds);
    if (answer.status === 404 || answer.status === 410) return { kind: 'absent' };
    const html = htmlBodyOf(answer, known !== undefined);
    if (html === undefined) return { kind: 'unchanged' };
    const page = await parse('board', html);
    onPage?.(url, html);
    return { kind: 'read', page, validators: validatorsOf(answer) };
  }
}
