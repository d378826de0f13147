import { platformDomains, profileBounds } from '@lobbystats/contracts';
import { html, type Html } from '../../html.ts';
import { field } from '../../parts/field.ts';
import { NOTICE } from '../../parts/notice.ts';

const { bio, gamertag, hue, links, platform, label, url } = profileBounds;

/** Every field of a profile that its user may change, named as in the API. */
export function profileForm(): Html {
  return html`<form id="profile-form" class="card stack" method="post" novalidate>
      ${field({ name: 'bio', label: 'About you', hint: `At most ${bio} characters`, kind: 'textarea' })}
      ${field({
        name: 'linked_gamertag',
        label: 'Your name on leaderboards',
        hint: `At most ${gamertag} characters. Without it, your name here counts as yours on leaderboards`,
      })}
      ${field({ name: 'avatar_hue', label: 'Color of your avatar', hint: `From 0 to ${hue} on the color wheel: 0 red, 120 green, 240 blue. Without one it follows from your name`, extra: huePicker() })}
      ${field({ name: 'avatar_url', label: 'Address of your avatar', hint: 'Begins with https://. The page shows the address, not the picture', kind: 'url' })}
      ${field({
        name: 'discord_profile_url',
        label: 'Discord profile',
        hint: 'https://discord.com/users/ and your number, which has to exist. Links need a Discord profile: without one they are removed',
        kind: 'url',
      })}
      ${field({ name: 'sync_avatar_from_discord', label: 'Take the avatar from Discord', kind: 'checkbox' })}
      <fieldset data-field="social_links" aria-describedby="social_links-error">
        <legend>Links</legend>
        <p class="hint">
          At most ${links}, if you have a Discord profile. A link of one of these platforms must lead to its own site:
          ${[...platformDomains.keys()].join(', ')}.
        </p>
        <p class="trouble" id="social_links-error"></p>
        <ol id="social-links"></ol>
        <button type="button" class="add" data-max="${links}">Add a link</button>
      </fieldset>
      <datalist id="platforms">
        ${[...platformDomains.keys()].map((name) => html`<option value="${name}"></option>`)}
      </datalist>
      <div class="buttons"><button class="main">Save</button></div>
      ${NOTICE}
    </form>
    <template id="link-template">${linkFields()}</template>`;
}

function huePicker(): Html {
  return html`<label class="hue">
    <span class="preview"></span> <span class="hidden">Color of the avatar on the wheel</span>
    <input type="range" min="0" max="${hue}" value="0" autocomplete="off" />
  </label>`;
}

/** The script numbers the fields: `social_links[0].url`. */
function linkFields(): Html {
  const part = (name: string, text: string, max: number, list = '') =>
    html`<label>
      ${text}
      <input type="text" data-part="${name}" maxlength="${max}" autocomplete="off" spellcheck="false" list="${list}" />
    </label>`;
  return html`<li class="link">
    ${part('platform', 'Platform', platform, 'platforms')} ${part('url', 'Address', url)}
    ${part('label', 'Text (not required)', label)}
    <button type="button" class="remove">Remove</button>
    <p class="trouble"></p>
  </li>`;
}
