import { operations, SLOT_SECONDS } from '@lobbystats/contracts';
import { html } from '../../html.ts';
import { links } from '../../links.ts';
import type { GuideApi, Step } from './step.ts';

const { getOnlineUsers } = operations;

export function caching({ base, url }: GuideApi): Step {
  const online = url(getOnlineUsers);
  return {
    id: 'caching',
    heading: 'Caching',
    text: html`<p>
      <code>Cache-Control: max-age</code> tells how many seconds a response stays valid: until the next snapshot is due,
      so up to ${SLOT_SECONDS / 60} minutes, and 0 for what may change at any time, such as leaderboards, their changes
      and unlocks. After that, send its <code>ETag</code> in the header <code>If-None-Match</code>. Status 304 without a
      body means that the stored response is still valid. Browsers do all of this by themselves.
    </p>`,
    code: {
      curl: `curl -s --compressed -o online.json --etag-save etag.txt '${online}'
curl -s --compressed -o online.json --etag-compare etag.txt -w '%{http_code}\\n' '${online}'`,
      client: `import { createClient, createResponseCache } from '.${links.client}';

const stats = createClient({ baseUrl: '${base}', cache: createResponseCache() });
const first = await stats.${getOnlineUsers.id}();
const again = await stats.${getOnlineUsers.id}(); // status 304: the stored body
console.log(Object.keys(first).length, Object.keys(again).length);`,
      fetch: `const first = await fetch('${online}');
let games = await first.json();
const headers = { 'If-None-Match': first.headers.get('ETag') };
const again = await fetch('${online}', { headers });
if (again.status !== 304) games = await again.json();
console.log(Object.keys(games).length);`,
      python: `import json
from urllib.error import HTTPError
from urllib.request import Request, urlopen

url = "${online}"
with urlopen(url) as response:
    games, etag = json.load(response), response.headers["ETag"]
try:
    with urlopen(Request(url, headers={"If-None-Match": etag})) as response:
        games, etag = json.load(response), response.headers["ETag"]
except HTTPError as error:
    if error.code != 304:
        raise
print(len(games))`,
    },
  };
}
