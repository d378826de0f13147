import { operations, SLOT_SECONDS } from '@lobbystats/contracts';
import { html } from '../../html.ts';
import { links } from '../../links.ts';
import type { GuideApi, Step } from './step.ts';

const { getOnlineSeries } = operations;

export function times({ base, url }: GuideApi): Step {
  const week = url(getOnlineSeries, { days: 7, resolution: '60', time: 'iso' });
  return {
    id: 'time',
    heading: 'Time',
    text: html`<p>
        All times and days are UTC. Timestamps are <code>2026-01-31 18:05:00</code>; with <code>time=iso</code> they are
        <code>2026-01-31T18:05:00Z</code>, which every language parses. Times of a race are <code>m:ss.mmm</code>, with
        the milliseconds in another field.
      </p>
      <p>
        The network is read every ${SLOT_SECONDS / 60} minutes. A history has one point for each snapshot, or with
        <code>resolution</code> a mean of 30, 60 or 1440 minutes. A snapshot that is missing has no point: it is not 0.
      </p>`,
    code: {
      curl: `curl -s '${week}'`,
      client: `import { createClient } from '.${links.client}';

const stats = createClient({ baseUrl: '${base}' });
const week = await stats.${getOnlineSeries.id}({ days: 7, resolution: '60', time: 'iso' });
for (const { recorded_at, online_count } of week) {
  console.log(new Date(recorded_at).toLocaleString(), online_count);
}`,
      fetch: `const response = await fetch('${week}');
for (const { recorded_at, online_count } of await response.json()) {
  console.log(new Date(recorded_at).toLocaleString(), online_count);
}`,
      python: `import json
from datetime import datetime
from urllib.request import urlopen

with urlopen("${week}") as response:
    for point in json.load(response):
        print(datetime.fromisoformat(point["recorded_at"]).astimezone(), point["online_count"])`,
    },
  };
}
