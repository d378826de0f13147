import { operations } from '@lobbystats/contracts';
import { html, type Html } from '../../html.ts';
import { links } from '../../links.ts';
import type { GuideApi, Step } from './step.ts';

const { getGame } = operations;

const STATUSES: readonly (readonly [number, string])[] = [
  [
    400,
    'The URL, a parameter or a field of the body is not valid, or a write has no session key: the message says what.',
  ],
  [401, 'The session key is not valid: sign in again.'],
  [403, 'Not allowed: links without a verified Discord profile, a barred rater, an erased user.'],
  [404, 'There is no such thing, or no such path: the message says which.'],
  [405, 'The path does not have this method: the header Allow has those that it has.'],
  [408, 'The request took too long to come in.'],
  [413, 'The body has more than 64 KiB.'],
  [414, 'The URL is too long.'],
  [415, 'Content-Type is not application/json, or the body is compressed.'],
  [417, 'The header Expect asks for what the server can not do.'],
  [429, 'Too many concurrent requests from your address: wait for the seconds in the header Retry-After.'],
  [431, 'The headers are too large.'],
  [502, 'Discord could not be asked: nothing has changed, try again later.'],
  [503, 'Unavailable at the moment: wait for the seconds in the header Retry-After.'],
];

export function errors({ base, url }: GuideApi): Step {
  const game = 'No Such Game';
  const unknown = url({ path: getGame.gamePath ?? '' }, {}, { game });
  return {
    id: 'errors',
    heading: 'Errors',
    text: html`<p>
        An error has a status and the body <code>{"error": "…"}</code> with a message for people; decide by the status.
        A request that got 400 to 417 never succeeds as it is. With questions about an error, send its header
        <code>X-Request-Id</code>.
      </p>
      ${statusList()}`,
    code: {
      curl: `curl -s -w '\\n%{http_code}\\n' '${unknown}'`,
      client: `import { ApiError, createClient } from '.${links.client}';

const stats = createClient({ baseUrl: '${base}' });
try {
  await stats.${getGame.id}({ game: '${game}' });
} catch (error) {
  if (!(error instanceof ApiError)) throw error;
  console.log(error.status, error.message);
}`,
      fetch: `const response = await fetch('${unknown}');
if (!response.ok) {
  const { error } = await response.json();
  console.log(response.status, error);
}`,
      python: `import json
from urllib.error import HTTPError
from urllib.request import urlopen

try:
    urlopen("${unknown}")
except HTTPError as error:
    print(error.code, json.load(error)["error"])`,
    },
  };
}

function statusList(): Html {
  return html`<dl class="facts">
    ${STATUSES.map(
      ([status, meaning]) =>
        html`<dt>${status}</dt>
          <dd>${meaning}</dd>`,
    )}
  </dl>`;
}
