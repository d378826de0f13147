import type { BodyOf, InputOf } from '@lobbystats/client';
import { apiOf, attempt } from './api.ts';
import { find, noticeOf, onSubmit } from './form.ts';
import { bindLinks } from './me-links.ts';
import type { Session } from './island.ts';

type Profile = BodyOf<'getMe'>['profile'];
type Update = InputOf<'updateProfile'>['body'];

/** Fills the form. Undefined: there is no profile yet. */
export type ShowProfile = (profile: Profile | undefined) => void;

const TEXTS = ['bio', 'linked_gamertag', 'avatar_url', 'discord_profile_url'] as const;
/** Errors that name no field: the Discord profile is missing, or can not be looked up. */
const FIELD_OF = { 403: 'social_links', 502: 'discord_profile_url' };

export function bindProfileForm(element: HTMLElement, session: Session): ShowProfile {
  const form = find<HTMLFormElement>(element, '#profile-form');
  const field = (name: string) => find<HTMLInputElement>(form, `[name="${name}"]`);
  const links = bindLinks(form, find<HTMLTemplateElement>(element, '#link-template'));
  const notice = noticeOf(form);
  let stored: Update = {};
  const read = (): Update => ({
    ...Object.fromEntries(TEXTS.map((name) => [name, field(name).value.trim()])),
    avatar_hue: hueOf(field('avatar_hue').value),
    sync_avatar_from_discord: field('sync_avatar_from_discord').checked,
    social_links: links.read(),
  });
  const show: ShowProfile = (profile) => {
    for (const name of TEXTS) field(name).value = profile?.[name] ?? '';
    field('avatar_hue').value = String(profile?.avatar_hue ?? '');
    field('sync_avatar_from_discord').checked = profile?.sync_avatar_from_discord ?? false;
    links.show(profile?.social_links ?? []);
    stored = read();
  };
  onSubmit(form, () =>
    attempt({ session, notice, form, fieldOf: FIELD_OF }, async () => {
      const { profile } = await apiOf(session).updateProfile({ body: changedFields(stored, read()) });
      show(profile);
      notice.say('Your profile is saved.');
    }),
  );
  return show;
}

/** A text that is no number is sent as it is: the API says what is wrong with it. */
function hueOf(text: string): Update['avatar_hue'] {
  const trimmed = text.trim();
  if (trimmed === '') return null;
  return /^\d+$/.test(trimmed) ? Number(trimmed) : (trimmed as '');
}

/** A Discord profile that stays is not looked up again. */
function changedFields(before: Update, after: Update): Update {
  const known: Readonly<Record<string, unknown>> = before;
  const changed = Object.entries(after).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(known[name]),
  );
  return Object.fromEntries(changed);
}
