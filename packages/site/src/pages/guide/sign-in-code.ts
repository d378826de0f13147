import { links } from '../../links.ts';

/** The beginning of programs that need a session: it is in `$key`, or in the client `stats`. */
export function signInCode(base: string, login: string) {
  return {
    curl: `key=$(curl -s '${login}' -H 'Content-Type: application/json' \\
  -d '{"email": "ember@example.org", "password": "PASSWORD"}' | jq -r .sessionKey)`,
    client: `import { createClient } from '.${links.client}';

const signedIn = await fetch('${login}', {
  method: 'POST',
  headers: { 'Content-Type': 'application/json' },
  body: JSON.stringify({ email: 'ember@example.org', password: 'PASSWORD' }),
});
const { sessionKey } = await signedIn.json();
const stats = createClient({ baseUrl: '${base}', sessionKey });`,
  };
}
