/** The ratings section: shows a user's reputation and rates them. Names and comments are text, never markup. */

import { byId, html, setText } from './dom.js';
import { createNotice, onSubmit } from './form.js';
import { formatCount, plural } from './format.js';
import { rate, readReputation } from './reputation-api.js';

/** @param {import('@lobbystats/service-auth').ServiceAuth} auth @returns {() => void} follows the session */
export function createRatings(auth) {
  const rated = /** @type {HTMLInputElement} */ (byId('rated'));
  const form = /** @type {HTMLFormElement} */ (byId('rate'));
  const comment = /** @type {HTMLTextAreaElement} */ (byId('comment'));
  const standing = byId('standing');
  const notice = createNotice(byId('reputation-error'), byId('reputation-status'));
  let username = '';
  let generation = 0;

  async function load() {
    const current = (generation += 1);
    const answer = await readReputation(username, auth.getSessionKey()).catch((error) => String(error.message));
    // The name or the session has changed meanwhile: discard this response.
    if (current !== generation) return;
    standing.hidden = typeof answer === 'string';
    if (typeof answer === 'string') notice.warn(answer);
    else showReputation(username, answer);
    showForm();
  }

  function showForm() {
    form.hidden = standing.hidden || !auth.isLoggedIn();
    byId('rate-hint').hidden = auth.isLoggedIn();
  }

  onSubmit(byId('look-up'), async () => {
    notice.say('');
    username = rated.value.trim();
    form.reset();
    await load();
  });
  onSubmit(form, async () => {
    notice.say('');
    const stars = Number(new FormData(form).get('stars'));
    try {
      await rate(username, auth.getSessionKey(), { stars, comment: comment.value });
      notice.say('Your rating is stored.');
      await load();
    } catch (error) {
      const { message, status } = /** @type {Error & { status?: number }} */ (error);
      notice.warn(message);
      // The auth service decides whether the session has ended.
      if (status === 401) await auth.verifySession();
    }
  });

  return () => {
    // Another user's own rating must not stay visible while this user's is loaded.
    setText(byId('own-rating'), '');
    showForm();
    if (username !== '') void load();
  };
}

/** @param {string} username @param {import('./reputation-api.js').Reputation} reputation */
function showReputation(username, { average, ratingCount, feedback, own }) {
  setText(byId('standing-name'), username);
  setText(byId('rate-name'), username);
  setText(byId('average'), formatAverage(average));
  setText(byId('rating-count'), ratingCount === 0 ? 'Nobody has rated yet' : plural(ratingCount, 'rating'));
  setText(
    byId('own-rating'),
    own ? `Your rating: ${formatStars(own.stars)}${own.comment && `, “${own.comment}”`}` : '',
  );
  const name = encodeURIComponent(username);
  byId('reputation-link').setAttribute('href', `/api/profile/${name}/reputation`);
  byId('feedback').replaceChildren(
    ...feedback.map(({ rater, stars, comment, createdAt }) => {
      const head = html('div', {}, html('bdi', {}, rater), `: ${formatStars(stars)} `);
      head.append(html('time', {}, `${createdAt} UTC`));
      return html('li', {}, head, ...(comment === '' ? [] : [html('p', { dir: 'auto' }, comment)]));
    }),
  );
}

/** `4.87`. */
const { format: formatAverage } = new Intl.NumberFormat('en', { minimumFractionDigits: 2 });

/** @param {number} stars */
const formatStars = (stars) => `${formatCount(stars)} of 5 stars`;
