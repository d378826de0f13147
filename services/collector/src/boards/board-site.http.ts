import { BOARD_PASS_SECONDS } from '@lobbystats/contracts';
import type { BoardPageReading, BoardSource } from '../network/network.ts';
import { urlOf } from '../sources/client/page-reader.http.ts';
import { reportFailures, type SiteParts } from '../sources/client/site-requests.http.ts';
import { slotAt } from '../time/slot-times.ts';

export function createNetworkBoards(parts: SiteParts): BoardSource {
  const { client, telemetry, forms, now, toleranceSeconds: leewaySeconds, isConditional } = parts;
  return {
    async boardPage({ titleId, leaderboardId }, number, deadlineMs, last) {
      const page = { source: 'leaderboards', values: { titleId, leaderboardId, page: number } } as const;
      return reportFailures('board', urlOf(forms, page), parts, async () => {
        const seenAt = slotAt(now());
        // A stale cache would undo changes that were published since.
        const made = { first: seenAt - (seenAt % BOARD_PASS_SECONDS), leewaySeconds };
        const validators = isConditional ? last : undefined;
        const response = await client.ask({ ...page, seenAt, validators, made }, { deadlineMs, urgency: 'last' });
        if (response.kind !== 'absent') telemetry.pageRead('board', response.kind);
        return response.kind === 'read' ? { ...response, page: response.reading as BoardPageReading } : response;
      });
    },
  };
}
