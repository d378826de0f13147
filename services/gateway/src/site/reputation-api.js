/** Reads and writes reputations over the API. Responses are validated and reduced to what is shown; texts are untrusted. */

/** @typedef {{ stars: number, comment: string, createdAt: string }} Rating */
/** @typedef {Rating & { rater: string }} Feedback */
/** @typedef {{ average: number, ratingCount: number, feedback: Feedback[], own: Rating | undefined }} Reputation */

/**
 * @param {string} username
 * @param {string | null} sessionKey of the user whose own rating is read too
 * @returns {Promise<Reputation>}
 */
export async function readReputation(username, sessionKey) {
  const body = await request(username, sessionKey, {});
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
  await request(username, sessionKey, { method: 'POST', headers, body: JSON.stringify(rating) });
}

/**
 * @param {string} username
 * @param {string | null} sessionKey
 * @param {RequestInit} init
 * @returns {Promise<any>} rejects with an Error whose message users can read; `status` is the response's
 */
async function request(username, sessionKey, init) {
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
