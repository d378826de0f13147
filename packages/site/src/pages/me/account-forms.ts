import { CONFIRMATION_SECONDS } from '@lobbystats/contracts';
import { html, type Html } from '../../html.ts';
import { NOTICE } from '../../parts/notice.ts';

/** Export and erasure. */
export function accountForms(): Html {
  return html`<div class="card stack">
      <p>Everything that this site stores about you, as one file.</p>
      <div class="buttons"><button type="button" id="export">Download your data</button></div>
      ${NOTICE}
    </div>
    <div class="card stack" id="erasure">
      <h3>Erase your data</h3>
      <p>
        Profile, play time, achievements, and the ratings that you have given and received are erased for good. Your
        account at the auth service stays.
      </p>
      <p>
        Your name then stays barred here: you can sign in, but neither have a profile nor rate again, until the site’s
        operators allow the name. The network’s leaderboards and matches still show it, and your friends still see you
        in the friends list that the network gives to their browsers.
      </p>
      <div class="buttons"><button type="button" id="erase">Erase my data…</button></div>
      <form id="erase-form" class="stack" method="post" novalidate hidden>
        <p>
          <b>This can not be undone.</b> The confirmation holds for ${CONFIRMATION_SECONDS / 60} minutes, until
          <time data-slot="expires" data-time="exact"></time>.
        </p>
        <div class="field" data-field="confirmation">
          <label for="confirmation">Type your username to confirm</label>
          <input
            id="confirmation"
            name="confirmation"
            autocomplete="off"
            spellcheck="false"
            aria-describedby="confirmation-error"
          />
          <p class="trouble" id="confirmation-error"></p>
        </div>
        <div class="buttons">
          <button class="danger">Erase everything</button>
          <button type="button" class="cancel">Keep my data</button>
        </div>
      </form>
      ${NOTICE}
    </div>`;
}
