import { BOARD_PASS_SECONDS } from '@lobbystats/contracts';
import type { PageValidators } from '../network/page-cache.ts';
import type { BoardPageReading, BoardPageResponse, BoardSource } from '../network/network.ts';
import { slotAt } from '../slots/slot-times.ts';
import { conditionalHeaders, validatorsOf, expectDateIn } from '../network/responses.http.ts';
import { acceptOf, bodyOf, expectForm, reportFailures, type SiteParts } from '../network/site-requests.http.ts';
import type { BoardPageKey, SourceForm } from '../network/source-forms.ts';

const PAGE = { timeoutMs: 10_000, maxBytes: 5 * 1024 * 1024 };

export function createNetworkBoards(parts: SiteParts): BoardSource {
  const { client, telemetry, forms, now, toleranceSeconds, onPage } = parts;
  return {
    async boardPage(board, page, deadlineMs, validators) {
      const form = expectForm(forms.leaderboards);
      const key = { titleId: board.titleId, leaderboardId: board.leaderboardId, page };
      return reportFailures('board', form.url(key), parts, async () => {
        const answer = await ask(form, key, deadlineMs, validators);
        if (answer.kind !== 'absent') telemetry.pageRead('board', answer.kind);
        return answer;
      });
    },
  };

  async function ask(
    form: SourceForm<BoardPageKey, BoardPageReading>,
    key: BoardPageKey,
    deadlineMs: number,
    last: PageValidators | undefined,
  ): Promise<BoardPageResponse> {
    const url = form.url(key);
    const known = onPage === undefined ? last : undefined;
    const turn = await client.takeTurn(deadlineMs, 'last');
    const asked = slotAt(now());
    const pass = asked - (asked % BOARD_PASS_SECONDS);
    const answer = await turn.get(url, { ...acceptOf(form.type), ...conditionalHeaders(known) }, PAGE);
    // A stale cache would undo changes that were published since.
    expectDateIn([pass, slotAt(now())], answer, toleranceSeconds);
    if (answer.status === 404 || answer.status === 410) return { kind: 'absent' };
    const body = bodyOf(form.type, answer, known !== undefined);
    if (body === undefined) return { kind: 'unchanged' };
    const page = await form.read(body, key, asked);
    onPage?.(url, body.toString());
    return { kind: 'read', page, validators: validatorsOf(answer) };
  }
}
