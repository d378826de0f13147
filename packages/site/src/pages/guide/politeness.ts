import { operations, RATE_LIMITS, SLOT_SECONDS } from '@lobbystats/contracts';
import { html } from '../../html.ts';
import { links } from '../../links.ts';
import type { GuideApi, Step } from './step.ts';

const { getOnlineSeries, listChanges } = operations;

export function politeness({ base, url }: GuideApi): Step {
  const days = 30;
  const csv = url(getOnlineSeries, { days, format: 'csv' });
  return {
    id: 'politeness',
    heading: 'Sharing the system with others',
    text: html`<p>${RATE_LIMITS} It stays so as long as everybody takes what they need and no more:</p>
      <ul class="bullets">
        <li>Most data changes every ${SLOT_SECONDS / 60} minutes. Ask no more often, or follow the live stream.</li>
        <li>
          One large request is cheaper than many small ones. Rows of most lists are also CSV or NDJSON: as many as the
          JSON has. A list that has pages, such as <code>${listChanges.path}</code>, has them in every format; the
          header <code>Link</code> leads to the next.
        </li>
        <li>
          Spreadsheets take title IDs such as <code>41560006</code> or <code>4e420004</code> for numbers: import that
          column as text. In CSV an apostrophe precedes each part of a name that they would run as a formula.
        </li>
        <li>Store responses, and send <code>If-None-Match</code>. Accept gzip or br.</li>
        <li>Send a few requests at a time, and after a 429 or 503 wait as long as <code>Retry-After</code> says.</li>
        <li>Name your program and a contact in <code>User-Agent</code>, so that its author can be asked.</li>
      </ul>`,
    code: {
      curl: `curl -s --compressed -A 'my-charts/1.0 (me@example.org)' -o online.csv '${csv}'`,
      client: `import { createClient } from '.${links.client}';

const stats = createClient({ baseUrl: '${base}' });
const headers = { 'User-Agent': 'my-charts/1.0 (me@example.org)' };
const csv = await stats.${getOnlineSeries.id}({ days: ${days}, format: 'csv' }, { headers });
console.log(csv.split('\\r\\n').length);`,
      fetch: `const headers = { 'User-Agent': 'my-charts/1.0 (me@example.org)' };
const response = await fetch('${csv}', { headers });
const csv = await response.text();
console.log(csv.split('\\r\\n').length);`,
      python: `import csv
import io
from urllib.request import Request, urlopen

headers = {"User-Agent": "my-charts/1.0 (me@example.org)"}
with urlopen(Request("${csv}", headers=headers)) as response:
    rows = list(csv.DictReader(io.TextIOWrapper(response, "utf-8")))
print(len(rows))`,
    },
  };
}
