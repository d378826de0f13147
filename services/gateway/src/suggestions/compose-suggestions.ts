import { formatRaceTime, operations, parseRaceTime, type OperationResponse } from '@lobbystats/contracts';
import { jsonMembers, jsonObject } from '../upstreams/json-object.ts';
import { parseResponse, type Composition, type UpstreamFetcher } from '../upstreams/upstreams.ts';

type Suggestion = OperationResponse<typeof operations.suggestNames>['suggestions'][number];
type FoundName = OperationResponse<typeof operations.findNames>['suggestions'][number];

/** Users online by title ID, at most as old as a request for each key press needs. */
type OnlineCounts = ReadonlyMap<string, number>;
const ONLINE_TTL_MS = 30_000;

/** Names of catalog-api with the games that more users play first, and the time that the text is. */
export function suggestions(clock: () => number): Composition {
  const readOnline = onlineCounts(clock);
  return async ({ query }, upstreams) => {
    const q = String(query['q']);
    const limit = Number(query['limit']);
    const { type } = query;
    const response = await upstreams.fetch(operations.findNames, {}, { q, type });
    const { suggestions: found, approximate } = parseResponse(operations.findNames, response);
    const hasSeveralGames = found.filter(({ type }) => type === 'game').length > 1;
    const online = hasSeveralGames ? await readOnline(upstreams) : new Map<string, number>();
    const suggested = [...(type === undefined ? timeOf(q) : []), ...byUsers(found, online).map(withoutMatch)].slice(
      0,
      limit,
    );
    const json = jsonObject(jsonMembers({ q, suggestions: suggested, count: suggested.length, approximate }));
    return { body: Buffer.from(json), lastModified: undefined, link: undefined };
  };
}

/** Sorts the games of each kind of match, and leaves the rest. */
function byUsers(found: readonly FoundName[], online: OnlineCounts): FoundName[] {
  const usersOf = ({ type, titleId }: FoundName) => (type === 'game' ? (online.get(titleId ?? '') ?? 0) : 0);
  return found.toSorted((one, other) =>
    one.match === other.match && one.type === 'game' && other.type === 'game' ? usersOf(other) - usersOf(one) : 0,
  );
}

function withoutMatch({ match: _, ...suggestion }: FoundName): Suggestion {
  return suggestion;
}

function timeOf(text: string): Suggestion[] {
  const ms = parseRaceTime(text);
  if (ms === undefined) return [];
  const nowhere = { titleId: null, gameName: null, leaderboardId: null, leaderboards: null };
  return [{ type: 'time', name: formatRaceTime(ms), ...nowhere, entries: 0 }];
}

/** While series-api is unavailable the last counts hold. */
function onlineCounts(clock: () => number): (upstreams: UpstreamFetcher) => Promise<OnlineCounts> {
  let counts: OnlineCounts = new Map();
  let expiresAt = 0;
  return async (upstreams) => {
    if (clock() < expiresAt) return counts;
    expiresAt = clock() + ONLINE_TTL_MS;
    try {
      const response = await upstreams.fetch(operations.getLatestActivity, {}, {});
      counts = parseResponse(
        operations.getLatestActivity,
        response,
        ({ titles }) => new Map(titles.map(({ titleId, online }) => [titleId, online])),
      );
    } catch {
      // The order by entries is good enough.
    }
    return counts;
  };
}
