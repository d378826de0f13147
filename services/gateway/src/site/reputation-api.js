/** Asks the API for reputations. What it answers is checked and cut down to what is shown; all texts are somebody else's. */

/** @typedef {{ stars: number, comment: string, createdAt: string }} Rating */
/** @typedef {Rating & { rater: string }} Feedback */
/** @typedef {{ average: number, ratingCount: number, feedback: Feedback[], own: Rating | undefined }} Reputation */

/**
 * @param {string} username
 * @param {string | null} sessionKey whose own rating is wanted too
 * @returns {Promise<Reputation>}
 */
export async function readReputation(username, sessionKey) {
  const body = await ask(username, sessionKey, {});
  return {
    average: Number(body.average),
    ratingCount: Number(body.ratingCount),
    feedback: Array.from(body.feedback ?? [], (one) => ({ ...readRating(one), rater: String(one.raterUsername) })),
    own: body.viewer ? readRating(body.viewer) : undefined,
  };
}

/** @param {string} username @param {string | null} sessionKey @param {{ stars: number, comment: string }} rating */
export async function rate(username, sessionKey, rating) {
  const headers = { 'Content-Type': 'application/json' };
  await ask(username, sessionKey, { method: 'POST', headers, body: JSON.stringify(rating) });
}

/**
 * @param {string} username
 * @param {string | null} sessionKey
 * @param {RequestInit} init
 * @returns {Promise<any>} rejects with an Error for people to read; `status` is the answer's
 */
async function ask(username, sessionKey, init) {
  const name = encodeURIComponent(username);
  const headers = { ...init.headers, ...(sessionKey === null ? {} : { 'X-Session-Key': sessionKey }) };
  const signal = AbortSignal.timeout(15_000);
  const response = await fetch(`/api/profile/${name}/reputation`, { ...init, headers, signal }).catch((cause) => {
    throw new Error('The server can not be reached', { cause });
  });
  const body = await response.json().catch(() => null);
  if (response.ok && body !== null) return body;
  const { status } = response;
  throw Object.assign(new Error(String(body?.error ?? `The server gave no answer that can be read (${status})`)), {
    status,
  });
}

/** @param {any} rating @returns {Rating} */
const readRating = ({ stars, comment, createdAt }) => ({
  stars: Number(stars),
  comment: String(comment ?? ''),
  createdAt: String(createdAt),
});
