import { operations } from '@lobbystats/contracts';
import { OPENAPI_PATH } from '@lobbystats/contracts';
import { html } from '../../html.ts';
import { links } from '../../links.ts';
import type { GuideApi, Step } from './step.ts';

const { getNow, getApiIndex, getGame } = operations;

export function start({ base, url }: GuideApi): Step {
  const now = url(getNow);
  return {
    id: 'start',
    heading: 'First request',
    text: html`<p>
        The API is JSON over HTTP. Reading needs no account and no key, from any web page too (CORS).
        <a href="${links.docs}">All operations</a> are documented with examples to try;
        <a href="${getApiIndex.path}"><code>${getApiIndex.path}</code></a> lists them, and the
        <a href="${OPENAPI_PATH}">OpenAPI document</a> describes them to generators of clients.
      </p>
      <p>
        A game has two addresses: <code>${getGame.gamePath}</code> takes its name or title ID,
        <code>${getGame.path}</code> the title ID. Names are unique, but they may change.
      </p>
      <p>
        The client of the examples is one file without dependencies, <a href="${links.client}">${links.client}</a>:
        download it (<code>curl -O '${url({ path: links.client })}'</code>), or import it in a page by that URL. It is
        the package <code>@lobbystats/client</code>, which is in no registry; its types come with the package, which the
        sources of this site pack.
      </p>`,
    code: {
      curl: `curl -s '${now}'`,
      client: `import { createClient } from '.${links.client}';

const stats = createClient({ baseUrl: '${base}' });
const { online, lobbies } = await stats.${getNow.id}();
console.log(online, lobbies);`,
      fetch: `const response = await fetch('${now}');
const { online, lobbies } = await response.json();
console.log(online, lobbies);`,
      python: `import json
from urllib.request import urlopen

with urlopen("${now}") as response:
    now = json.load(response)
print(now["online"], now["lobbies"])`,
    },
  };
}
