/** The page at /login: connects the session with its views. */

import { byId, setText } from './dom.js';
import { createRatings } from './ratings.js';
import { createSignIn } from './sign-in.js';

const auth = new window.ServiceAuth();
const showRatings = createRatings(auth);
const showSession = createSignIn(auth);

function show() {
  showSession();
  showRatings();
}

setText(byId('network-name'), `· Network: ${document.documentElement.dataset['network']}`);
auth.on('login', show);
auth.on('logout', show);
show();
auth.startAutoVerify();
await auth.verifySession();
byId('main').dataset['state'] = 'ready';
