import { z } from 'zod';
import { html, type Html } from '../../html.ts';
import { links } from '../../links.ts';
import { definePage } from '../../page.ts';
import { field } from '../../parts/field.ts';
import { NOTICE } from '../../parts/notice.ts';

export interface LoginOptions {
  /** The auth service, as browsers reach it. */
  readonly authPublicUrl: string;
  readonly isSimulated: boolean;
}

/** Signs in and out by script: the auth service alone sees the password. */
export function login({ authPublicUrl, isSimulated }: LoginOptions) {
  return definePage({
    id: 'getLoginPage',
    path: links.login,
    params: z.object({}),
    // The script reads `next`: the page is the same for all.
    query: z.object({}),
    style: 'login',
    asks: [],
    view: async () => ({
      title: 'Sign in',
      description: 'Sign in to rate players and to change your profile.',
      path: links.login,
      content: html`<section class="narrow" data-island="login" aria-labelledby="heading">
        <h1 id="heading" tabindex="-1">Sign in</h1>
        <noscript>
          <p class="empty">JavaScript, which signs you in, is off. Everything else on this site works without it.</p>
        </noscript>
        ${signInForm()} ${SIGNED_IN} ${NOTICE} ${isSimulated && demoAccounts(authPublicUrl)}
      </section>`,
    }),
  });
}

/** Disabled until its script runs: the browser itself must never send the password here. */
function signInForm(): Html {
  return html`<form id="sign-in" class="card stack" method="post" novalidate>
    <p class="hint">Your account is with the network’s auth service. This site never sees your password.</p>
    ${field({ name: 'email', label: 'E-mail', kind: 'email', autocomplete: 'username' })}
    ${field({ name: 'password', label: 'Password', kind: 'password', autocomplete: 'current-password' })}
    <div class="buttons"><button class="main" disabled>Sign in</button></div>
  </form>`;
}

const SIGNED_IN = html`<div id="signed-in" class="card stack" hidden>
  <p>
    Signed in as <b><bdi class="username"></bdi></b>.
  </p>
  <div class="buttons">
    <a href="${links.me()}">Your page</a>
    <button type="button" class="sign-out">Sign out</button>
  </div>
</div>`;

function demoAccounts(authPublicUrl: string): Html {
  const accounts = `${authPublicUrl}/simulator/accounts`;
  return html`<p class="note">
      The network is simulated, and so are the accounts that you can sign in with:
      <a id="demo-accounts" href="${accounts}" target="_blank" rel="noreferrer">demo accounts</a> with their passwords.
    </p>
    <div class="buttons js" id="demo-buttons" data-accounts="${accounts}">
      <button type="button">Choose a demo account</button>
    </div>`;
}
