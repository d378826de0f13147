import { operations } from '@lobbystats/contracts';
import { html } from '../../html.ts';
import { links } from '../../links.ts';
import type { GuideApi, Step } from './step.ts';

const { listGames, listChanges, searchByTime } = operations;

export function paging({ base, url }: GuideApi): Step {
  const games = url(listGames, { limit: 100 });
  return {
    id: 'paging',
    heading: 'Pages of long lists',
    text: html`<p>
        A long list comes in pages of <code>limit</code> elements. The header <code>Link</code> with
        <code>rel="next"</code> has the address of the next page, relative to this one: it is a query, which replaces
        that of this page. The last page has none. Follow it instead of counting.
      </p>
      <p>
        Lists that change while they are read, such as <code>${listChanges.path}</code> and
        <code>${searchByTime.path}</code>, also have <code>nextCursor</code>: the next page begins after the last
        element, whatever has come in since.
      </p>`,
    code: {
      curl: `url='${games}'
while [ -n "$url" ]; do
  curl -s -D headers.txt "$url"; echo
  next=$(sed -n 's/^[Ll]ink: <\\([^>]*\\)>; rel="next".*/\\1/p' headers.txt)
  url=\${next:+\${url%%\\?*}$next}
done`,
      client: `import { createClient } from '.${links.client}';

const stats = createClient({ baseUrl: '${base}' });
for await (const game of stats.items('${listGames.id}', { limit: 100 })) {
  console.log(game.name);
}`,
      fetch: `let url = '${games}';
while (url !== undefined) {
  const response = await fetch(url);
  const { games } = await response.json();
  for (const game of games) console.log(game.name);
  const [, next] = /<([^>]+)>; rel="next"/.exec(response.headers.get('Link') ?? '') ?? [];
  url = next === undefined ? undefined : new URL(next, url).href;
}`,
      python: `import json
import re
from urllib.parse import urljoin
from urllib.request import urlopen

url = "${games}"
while url is not None:
    with urlopen(url) as response:
        for game in json.load(response)["games"]:
            print(game["name"])
        link = re.search('<([^>]+)>; rel="next"', response.headers.get("Link", ""))
    url = urljoin(url, link[1]) if link else None`,
    },
  };
}
