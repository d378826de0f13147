import {
  COMMENT_MAX,
  operations,
  PRIOR_STARS,
  PRIOR_VOTES,
  STARS_MAX,
  type OperationResponse,
} from '@lobbystats/contracts';
import { html, type Html } from '../../html.ts';
import { links } from '../../links.ts';
import type { PageData } from '../../page.ts';
import { field } from '../../parts/field.ts';
import { list } from '../../parts/list.ts';
import { pager } from '../../parts/pager.ts';
import { empty, part, section } from '../../parts/part.ts';
import { name, playerLink, plural, time } from '../../parts/text.ts';
import type { PlayerQuery, PlayerUrl } from './player-url.ts';
import { NOTICE } from '../../parts/notice.ts';

const { getReputation } = operations;

export const ratingOperations = [getReputation] as const;

type Reputation = OperationResponse<typeof getReputation>;

/** Ratings and comments by page, and the form of the signed-in reader. */
export async function ratingsSection(
  username: string,
  { feedbackOffset }: PlayerQuery,
  data: PageData,
  urlOf: PlayerUrl,
): Promise<Html> {
  const response = await data.find(getReputation, { username }, { feedbackOffset });
  return section(
    'ratings',
    'Ratings',
    html`<div class="columns">
      <div>
        ${response === null ? empty('Nobody has rated yet') : part(response, (found) => feedbackList(found, (offset) => urlOf({ feedbackOffset: offset }, 'ratings')))}
      </div>
      ${ratingForm(username)}
    </div>`,
    response ? totalsText(response) : undefined,
  );
}

const means = new Intl.NumberFormat('en', { maximumFractionDigits: 2 });

/** The plain mean. The API's average has a prior, which readers would take for ratings. */
function totalsText({ average, effectiveVotes, ratingCount }: Reputation): Html | string {
  if (ratingCount === 0) return 'no rating yet';
  const starSum = Math.round(average * effectiveVotes - PRIOR_VOTES * PRIOR_STARS);
  const count = plural(ratingCount, 'rating');
  return html`<b id="average">${means.format(starSum / ratingCount)}</b> of ${STARS_MAX} stars, average of ${count}`;
}

function feedbackList(
  { feedback, total = 0, limit = 1, offset = 0 }: Reputation,
  href: (offset: number) => string,
): Html {
  return html`${list({
    id: 'by',
    rows: feedback,
    key: ({ raterUsername }) => raterUsername.toLowerCase(),
    item: rating,
    empty: offset === 0 ? 'Nobody has rated yet' : 'There are no more ratings',
  })}
  ${feedback.length > 0 && pager({ total, limit, offset, href, label: 'ratings' })}`;
}

function rating({ raterUsername, stars, comment, createdAt }: Reputation['feedback'][number], id: string): Html {
  return html`${playerLink(raterUsername)}: ${starsText(stars)}
    <span class="hint">${time(createdAt)}</span>
    ${comment !== null && html`<p class="comment" dir="auto">${comment}</p>`}
    ${comment !== null && html`<div id="report-${id}" data-island="report" data-rater="${raterUsername}"></div>`}`;
}

/** `4 of 5 stars`, with the stars themselves for the eye. */
function starsText(stars: number): Html {
  return html`<span class="stars" aria-hidden="true"
      >${'★'.repeat(stars)}${'☆'.repeat(Math.max(0, STARS_MAX - stars))}</span
    >
    <span class="hidden">${stars} of ${STARS_MAX} stars</span>`;
}

/** Filled by the script of a session. */
function ratingForm(username: string): Html {
  const choices = Array.from({ length: STARS_MAX }, (_, index) => index + 1);
  return html`<div class="card" id="rate" data-island="rate" data-username="${username}">
    <h3>Rate ${name(username)}</h3>
    <p class="signed-out">
      <a href="${links.signIn({ next: `${links.player(username, { tab: 'ratings' })}#rate` })}">Sign in</a> to rate and
      comment.
    </p>
    <p class="own" hidden>This is your profile: <a href="${links.me({ tab: 'profile' })}">change it</a>.</p>
    <p class="erased" hidden>
      Your data here have been erased: you can not rate. <a href="${links.me()}">What erasure means</a>
    </p>
    <form class="stack" method="post" novalidate hidden>
      <p class="given"></p>
      <fieldset data-field="stars" aria-describedby="stars-error">
        <legend>Stars</legend>
        ${choices.map((stars) => html`<label><input type="radio" name="stars" value="${stars}" /> ${stars}</label> `)}
        <p class="trouble" id="stars-error"></p>
      </fieldset>
      ${field({ name: 'comment', label: 'Comment', hint: `Not required, at most ${COMMENT_MAX} characters`, kind: 'textarea' })}
      <div class="buttons">
        <button class="main">Rate</button>
        <button type="button" class="remove" hidden>Remove my rating</button>
      </div>
    </form>
    ${NOTICE}
    <template class="report">${reportForm()}</template>
  </div>`;
}

function reportForm(): Html {
  return html`<details>
    <summary>Report this comment</summary>
    <form class="stack" method="post" novalidate>
      ${field({ name: 'reason', label: 'Reason', hint: `For the operators; not required, at most ${COMMENT_MAX} characters`, kind: 'textarea' })}
      <div class="buttons"><button>Report</button></div>
    </form>
    ${NOTICE}
  </details>`;
}
