import { links } from '../../links.ts';
import type { GuideApi } from './step.ts';

/** The beginning of programs that need a session: it is in `$key`, or in the client `stats`. */
export function signInCode({ base, login, account: { email, password } }: GuideApi) {
  return {
    curl: `key=$(curl -s '${login}' -H 'Content-Type: application/json' \\
  -d '{"email": "${email}", "password": "${password}"}' | jq -r .sessionKey)`,
    client: `import { createClient } from '.${links.client}';

const signedIn = await fetch('${login}', {
  method: 'POST',
  headers: { 'Content-Type': 'application/json' },
  body: JSON.stringify({ email: '${email}', password: '${password}' }),
});
const { sessionKey } = await signedIn.json();
const stats = createClient({ baseUrl: '${base}', sessionKey });`,
  };
}
