import { operations } from '@lobbystats/contracts';
import { html, type Html } from '../../html.ts';
import type { GuideApi, Step } from './step.ts';

const { getGame } = operations;

const STATUSES: readonly (readonly [number, string])[] = [
  [400, 'A parameter is not valid: the message names it. The same request never succeeds.'],
  [401, 'The session key is not valid. Only operations of one’s own account need a key.'],
  [404, 'There is no such thing: the message says which.'],
  [429, 'Too many requests at once: wait for the seconds in the header Retry-After.'],
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
        With questions about an error, send its header <code>X-Request-Id</code>.
      </p>
      ${statusList()}`,
    code: {
      curl: `curl -s -w '\\n%{http_code}\\n' '${unknown}'`,
      client: `import { ApiError, createClient } from '@lobbystats/client';

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
