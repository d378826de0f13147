import { sampleRequest as sampleOf, type Operation } from '@lobbystats/contracts';
import type { TestRequestOptions } from '@lobbystats/test-kit/send-request';
import { BOARD, EVENT } from './catalog-responses.ts';
import { HARBOR, RALLY } from './network.ts';
import { FOX, GAMERTAG, SESSION } from './user-responses.ts';

/** Values that the stub upstreams have. */
const VALUES: Readonly<Record<string, string>> = {
  game: HARBOR.name,
  titleId: HARBOR.titleId,
  otherTitleId: RALLY.titleId,
  leaderboardId: String(BOARD.id),
  eventId: String(EVENT.id),
  player: GAMERTAG,
  otherPlayer: 'Grey Owl',
  username: FOX,
  kind: 'game',
  id: HARBOR.titleId,
  channel: 'phone',
  time: '0:49.3',
  prefix: 'har',
};

/** Fills the parameters of a path, with `params` taking precedence. */
export function fillPath(path: string, params: Readonly<Record<string, string>> = {}): string {
  return path.replace(/:(\w+)/g, (_, name: string) => params[name] ?? encodeURIComponent(VALUES[name] ?? `:${name}`));
}

/** A valid request for an operation at its path by ID. */
export function sampleRequest(operation: Operation): [string, TestRequestOptions] {
  const { method, session } = operation;
  const { target, body } = sampleOf(operation, VALUES);
  if (body !== undefined) return [target, { method, ...json({ sessionKey: SESSION.key, ...(body as object) }) }];
  return [target, { method, ...(session === 'required' && { headers: { 'X-Session-Key': SESSION.key } }) }];
}

/** A JSON body with its content type. */
export function json(body: unknown): Pick<TestRequestOptions, 'headers' | 'body'> {
  return { headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) };
}
