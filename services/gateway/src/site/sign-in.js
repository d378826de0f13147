/** The session section: the sign-in form, or the signed-in user. */

import { byId, setText } from './dom.js';
import { createNotice, onSubmit } from './form.js';

/** @param {import('@lobbystats/service-auth').ServiceAuth} auth @returns {() => void} shows the session as it is now */
export function createSignIn(auth) {
  const [form, card, heading] = [byId('sign-in'), byId('signed-in'), byId('session-heading')];
  const email = /** @type {HTMLInputElement} */ (byId('email'));
  const password = /** @type {HTMLInputElement} */ (byId('password'));
  const notice = createNotice(byId('session-error'), byId('session-status'));

  auth.on('login', () => notice.say('You are signed in.'));
  auth.on('logout', () => notice.say('You are signed out.'));
  auth.on('error', ({ message }) => notice.warn(auth.isLoggedIn() ? `${message}. You stay signed in here.` : message));

  onSubmit(form, async () => {
    notice.say('');
    // The listener above has shown the error.
    await auth.login(email.value, password.value).catch(() => undefined);
    if (auth.isLoggedIn()) heading.focus();
    else password.select();
  });
  byId('verify').addEventListener('click', async () => {
    notice.say('');
    if (await auth.verifySession()) notice.say('The session is valid.');
  });
  byId('sign-out').addEventListener('click', async () => {
    const isRevoked = auth.logout();
    email.focus();
    if (!(await isRevoked)) notice.warn('You are signed out here, but the auth service could not be told.');
  });

  return () => {
    const user = auth.getUser();
    form.hidden = user !== null;
    card.hidden = user === null;
    setText(heading, user === null ? 'Sign in' : 'Your session');
    password.value = '';
    const { username = '', email: address = '' } = user ?? {};
    setText(byId('username'), username);
    setText(byId('user-email'), address);
    const name = encodeURIComponent(username);
    byId('profile-link').setAttribute('href', `/api/profile/${name}`);
    byId('achievements-link').setAttribute('href', `/api/profile/${name}/achievements`);
  };
}
