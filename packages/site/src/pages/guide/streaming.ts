import { STREAM_RESET, STREAM_RESUMABLE_EVENTS, streamEvents, streamTopicNames } from '@lobbystats/contracts';
import { html } from '../../html.ts';
import { formatCount } from '../../parts/text.ts';
import { links } from '../../links.ts';
import type { GuideApi, Step } from './step.ts';

export function streaming({ base, url }: GuideApi): Step {
  const stream = url(streamEvents, { topics: 'online' });
  return {
    id: 'streaming',
    heading: 'Live stream',
    text: html`<p>
        <code>${streamEvents.path}</code> sends changes as server-sent events, as soon as they are known. The topics:
        ${streamTopicNames.map((name, index) => html`${index > 0 && ', '}<code>${name}</code>`)}; several are separated
        by commas.
      </p>
      <p>
        After an interruption, send the last event’s id in the header <code>Last-Event-ID</code>: the events since then
        come first, of the last ${formatCount(STREAM_RESUMABLE_EVENTS)} at least. A browser’s
        <code>EventSource</code> and the client do so by themselves. At the event <code>${STREAM_RESET}</code> events
        may be missing: read the state again, in a browser with <code>fetch(url, { cache: 'no-cache' })</code>, so that
        its own cache does not answer.
      </p>`,
    code: {
      curl: `curl -sN '${stream}'`,
      client: `import { createClient } from '.${links.client}';

const stats = createClient({ baseUrl: '${base}' });
for await (const event of stats.events(['online'])) {
  if (event.topic === 'online') console.log(event.data.slot, event.data.online);
}`,
      fetch: `// In a browser, new EventSource('${stream}') does it.
const response = await fetch('${stream}');
for await (const text of response.body.pipeThrough(new TextDecoderStream())) {
  console.log(text);
}`,
      python: `from urllib.request import urlopen

with urlopen("${stream}") as response:
    for line in response:
        print(line.decode().rstrip(), flush=True)`,
    },
  };
}
