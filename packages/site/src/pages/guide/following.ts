import { channelKinds, channelTypes, operations } from '@lobbystats/contracts';
import { html } from '../../html.ts';
import { links } from '../../links.ts';
import { signInCode } from './sign-in-code.ts';
import type { GuideApi, Step } from './step.ts';

const { addChannel, follow } = operations;
const others = channelKinds
  .filter((kind) => kind !== 'webhook')
  .map((kind) => channelTypes[kind].label)
  .join(', ');

export function following(api: GuideApi): Step {
  const { account, login, titleId, url } = api;
  const signIn = signInCode(api);
  const hook = 'https://hooks.example.org/lobbystats';
  const [subscriptions, channels] = [url(follow), url(addChannel)];
  return {
    id: 'following',
    heading: 'Being notified',
    text: html`<p>
      With a session you follow games, leaderboards, players and events, here or on
      <a href="${links.following}">your page</a>. Notifications come to a webhook, which the next step receives: the
      answer of <code>POST ${addChannel.path}</code> has its <code>secret</code>. They also come to channels of other
      kinds: ${others}. Without a session the buttons of pages follow in the browser alone, which notifies while a page
      is open.
    </p>`,
    code: {
      curl: `${signIn.curl}
curl -s '${subscriptions}' -H "X-Session-Key: $key" -H 'Content-Type: application/json' \\
  -d '{"kind": "game", "id": "${titleId}", "rules": {"lobbyPlayers": 4}}'
curl -s '${channels}' -H "X-Session-Key: $key" -H 'Content-Type: application/json' \\
  -d '{"kind": "webhook", "name": "my program", "url": "${hook}"}'`,
      client: `${signIn.client}
const { kind } = await stats.${follow.id}({ body: { kind: 'game', id: '${titleId}', rules: { lobbyPlayers: 4 } } });
const { name } = await stats.${addChannel.id}({
  body: { kind: 'webhook', name: 'my program', url: '${hook}' },
});
console.log(kind, name);`,
      fetch: `async function post(url, body, sessionKey = '') {
  const headers = { 'Content-Type': 'application/json', 'X-Session-Key': sessionKey };
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
  if (!response.ok) throw new Error((await response.json()).error);
  return response.json();
}

const credentials = { email: '${account.email}', password: '${account.password}' };
const { sessionKey } = await post('${login}', credentials);
const game = { kind: 'game', id: '${titleId}', rules: { lobbyPlayers: 4 } };
const { kind } = await post('${subscriptions}', game, sessionKey);
const webhook = { kind: 'webhook', name: 'my program', url: '${hook}' };
const { name } = await post('${channels}', webhook, sessionKey);
console.log(kind, name);`,
      python: `import json
from urllib.request import Request, urlopen

def post(url, body, session_key=""):
    headers = {"Content-Type": "application/json", "X-Session-Key": session_key}
    with urlopen(Request(url, json.dumps(body).encode(), headers)) as response:
        return json.load(response)

credentials = {"email": "${account.email}", "password": "${account.password}"}
key = post("${login}", credentials)["sessionKey"]
post("${subscriptions}", {"kind": "game", "id": "${titleId}", "rules": {"lobbyPlayers": 4}}, key)
webhook = {"kind": "webhook", "name": "my program", "url": "${hook}"}
print(post("${channels}", webhook, key)["secret"])`,
    },
  };
}
