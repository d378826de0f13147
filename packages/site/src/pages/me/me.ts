import { oneOf, operations } from '@lobbystats/contracts';
import { z } from 'zod';
import { html, type Html } from '../../html.ts';
import { links } from '../../links.ts';
import { accountForms } from './account-forms.ts';
import { meTabs, ownTabs, type MeTab } from './own-tabs.ts';
import { profileForm } from './profile-form.ts';
import { definePage } from '../../page.ts';
import { section } from '../../parts/part.ts';
import { NOTICE } from '../../parts/notice.ts';
import { NOTIFICATION_LIST } from '../../parts/notification-list.ts';

const { listOwnRatings } = operations;

/** The signed-in user's own page: its script fills in the data, which the session alone may read. */
export const me = definePage({
  id: 'getOwnPage',
  path: links.me(),
  params: z.object({}),
  query: z.object({
    tab: oneOf(meTabs).optional(),
    // The offset of the list of ratings, which the script reads.
    ratingsOffset: listOwnRatings.query.shape.offset,
  }),
  style: 'me',
  asks: [],
  view: async ({ query: { tab: given, ratingsOffset } }) => {
    const tab = given ?? (ratingsOffset > 0 ? 'profile' : 'overview');
    const path = links.me({ tab: tab === 'overview' ? undefined : tab });
    return {
      title: 'Your page',
      description: 'Your news, profile, ratings and data.',
      path,
      isPrivate: true,
      content: html`<div data-island="me" data-tab="${tab}">
        <section aria-labelledby="heading">
          <h1 id="heading" tabindex="-1">Your page</h1>
          <noscript
            ><p class="empty">JavaScript, which your session needs, is off: nobody can sign in without it.</p></noscript
          >
          <p class="signed-out empty" hidden>
            You are not signed in. <a href="${links.signIn({ next: path })}">Sign in</a>
          </p>
          ${NOTICE}
          <div class="signed-in" hidden>${session()}</div>
          ${erased()}
        </section>
        ${ownTabs(tab)}
        <div class="in-use" hidden>${TABS[tab]()}</div>
      </div>`,
    };
  },
});

const TABS: Readonly<Record<MeTab, () => Html>> = {
  overview: () =>
    html`${followedNow()}
      <div data-island="friends" data-friends="list"></div>
      <div id="public-slot"></div>`,
  profile: () =>
    html`${section('account', 'Account', account())} ${section('profile', 'Profile', profileForm())}
    ${section('given', 'Ratings you have given', givenRatings())}`,
  data: () => section('data', 'Your data', accountForms()),
};

function session(): Html {
  return html`<p>
      Signed in as <b><bdi data-slot="username"></bdi></b
      ><span class="in-use">
        · <a class="public">your public page</a
        ><span class="no-public"
          >you have a public page once your profile is saved or the network shows you online</span
        ></span
      >
    </p>
    <button type="button" class="sign-out">Sign out</button>`;
}

function account(): Html {
  return html`<dl class="facts">
    <dt>E-mail</dt>
    <dd><bdi data-slot="email"></bdi></dd>
    <dt>Name on the network</dt>
    <dd><bdi data-slot="gamertag"></bdi> <span class="tag" data-slot="verified"></span></dd>
  </dl>`;
}

/** Games alone have a state; the page of followed things lists all. */
function followedNow(): Html {
  return section(
    'followed-now',
    'Notifications',
    html`${NOTIFICATION_LIST}
      <h3>Games</h3>
      <ul class="list" id="followed-games"></ul>`,
    html`<a href="${links.following}">What you follow, and where notifications go</a>`,
  );
}

/** For a user who has erased their data, or whose data operators have erased. */
function erased(): Html {
  return html`<div class="erased card stack" hidden>
    <h2>Your data have been erased</h2>
    <p>
      Of your account this site keeps only keyed hashes of its names. With them the name stays barred: the network’s
      feed does not bring you back, and you can neither have a profile nor rate. The site’s operators can allow the name
      again. Your account at the auth service is not affected.
    </p>
  </div>`;
}

function givenRatings(): Html {
  return html`<ul class="list" id="given-list"></ul>
    <p class="empty" id="given-empty" hidden>You have rated nobody yet</p>
    <nav class="pager" id="given-pager" aria-label="Pages of the ratings you have given" hidden>
      <p data-slot="range"></p>
      <ul>
        <li><a class="previous" rel="prev">Previous</a></li>
        <li><a class="next" rel="next">Next</a></li>
      </ul>
    </nav>
    ${NOTICE}
    <template id="given-template">
      <li>
        <a data-slot="player"></a>: <span data-slot="stars"></span>
        <time class="hint" data-slot="at" data-time="exact"></time>
        <span class="tag" data-slot="barred"></span>
        <p class="comment" dir="auto" data-slot="comment"></p>
        <div class="buttons"><a class="change">Change</a> <button type="button" class="remove">Remove</button></div>
      </li>
    </template>`;
}
