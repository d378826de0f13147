import { operations } from '@lobbystats/contracts';
import { html } from '../../html.ts';
import { links } from '../../links.ts';
import { signInCode } from './sign-in-code.ts';
import type { GuideApi, Step } from './step.ts';

const { rateProfile, updateProfile } = operations;

export function writing(api: GuideApi): Step {
  const { account, login, url } = api;
  const signIn = signInCode(api);
  const username = account.rated;
  const rating = url(rateProfile, {}, { username });
  const profile = url(updateProfile);
  return {
    id: 'writing',
    heading: 'Signing in and writing',
    text: html`<p>
        A write needs a session key, which the auth service gives for an e-mail address and a password; this site never
        sees them. Send the key in the header <code>X-Session-Key</code>, and the body as JSON. Keep the key secret: it
        is valid until its user signs out. A key that was just used may be accepted for up to 10 seconds after that.
      </p>
      <p>
        A page signs its users in with the SDK <a href="/service-auth.js"><code>/service-auth.js</code></a
        >, as <a href="${links.login}">this site does</a>.
      </p>`,
    code: {
      curl: `${signIn.curl}
curl -s '${rating}' -H "X-Session-Key: $key" -H 'Content-Type: application/json' -d '{"stars": 5}'
curl -s -X PATCH '${profile}' -H "X-Session-Key: $key" -H 'Content-Type: application/json' \\
  -d '{"bio": "On the road since 2001"}'`,
      client: `${signIn.client}
const { reputation } = await stats.${rateProfile.id}({ username: '${username}', body: { stars: 5 } });
const { success } = await stats.${updateProfile.id}({ body: { bio: 'On the road since 2001' } });
console.log(reputation.ratingCount, success);`,
      fetch: `async function send(method, url, body, sessionKey = '') {
  const headers = { 'Content-Type': 'application/json', 'X-Session-Key': sessionKey };
  const response = await fetch(url, { method, headers, body: JSON.stringify(body) });
  if (!response.ok) throw new Error((await response.json()).error);
  return response.json();
}

const credentials = { email: '${account.email}', password: '${account.password}' };
const { sessionKey } = await send('POST', '${login}', credentials);
const { reputation } = await send('POST', '${rating}', { stars: 5 }, sessionKey);
const { success } = await send('PATCH', '${profile}', { bio: 'On the road since 2001' }, sessionKey);
console.log(reputation.ratingCount, success);`,
      python: `import json
from urllib.request import Request, urlopen

def send(method, url, body, session_key=""):
    headers = {"Content-Type": "application/json", "X-Session-Key": session_key}
    request = Request(url, json.dumps(body).encode(), headers, method=method)
    with urlopen(request) as response:
        return json.load(response)

credentials = {"email": "${account.email}", "password": "${account.password}"}
key = send("POST", "${login}", credentials)["sessionKey"]
send("POST", "${rating}", {"stars": 5}, key)
send("PATCH", "${profile}", {"bio": "On the road since 2001"}, key)`,
    },
  };
}
