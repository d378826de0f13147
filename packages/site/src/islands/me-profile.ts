import type { BodyOf, InputOf } from '@lobbystats/client';
import { apiOf, attempt } from './api.ts';
import { find, noticeOf, onSubmit } from './form.ts';
import { bindHuePicker } from './hue-picker.ts';
import { bindLinks } from './me-links.ts';
import type { Session } from './island.ts';
import { announceWrite } from './writes.ts';

type Profile = BodyOf<'getMe'>['profile'];
export type ProfileUpdate = InputOf<'updateProfile'>['body'];

export interface ProfileForm {
  /** Fills the form. Undefined: there is no profile yet. */
  readonly show: (profile: Profile | undefined) => void;
  /** Fields whose values are not stored; undefined: all are. */
  readonly edited: () => ProfileUpdate | undefined;
  /** Fills in values that are not stored. */
  readonly restore: (update: ProfileUpdate) => void;
}

const TEXTS = ['bio', 'linked_gamertag', 'avatar_url', 'discord_profile_url'] as const;
/** Errors that name no field: the Discord profile is missing, or can not be looked up. */
const FIELD_OF = { 403: 'social_links', 502: 'discord_profile_url' };

/** @param onSaved runs after each change */
export function bindProfileForm(element: HTMLElement, session: Session, onSaved: () => void): ProfileForm {
  const form = find<HTMLFormElement>(element, '#profile-form');
  const field = (name: string) => find<HTMLInputElement>(form, `[name="${name}"]`);
  const links = bindLinks(form, find<HTMLTemplateElement>(element, '#link-template'));
  const showHue = bindHuePicker(form, field('avatar_hue'));
  const notice = noticeOf(form);
  let stored: ProfileUpdate = {};
  const read = (): ProfileUpdate => ({
    ...Object.fromEntries(TEXTS.map((name) => [name, field(name).value.trim()])),
    avatar_hue: hueOf(field('avatar_hue').value),
    sync_avatar_from_discord: field('sync_avatar_from_discord').checked,
    social_links: links.read(),
  });
  const restore: ProfileForm['restore'] = (update) => {
    for (const name of TEXTS) if (update[name] !== undefined) field(name).value = update[name] ?? '';
    if (update.avatar_hue !== undefined) field('avatar_hue').value = String(update.avatar_hue ?? '');
    showHue();
    if (update.sync_avatar_from_discord !== undefined)
      field('sync_avatar_from_discord').checked = update.sync_avatar_from_discord === true;
    if (typeof update.social_links === 'object' && update.social_links !== null)
      links.show(update.social_links.map(({ label = null, ...link }) => ({ ...link, label })));
  };
  const show: ProfileForm['show'] = (profile) => {
    for (const name of TEXTS) field(name).value = '';
    restore({ avatar_hue: null, sync_avatar_from_discord: false, social_links: [], ...profile });
    stored = read();
  };
  onSubmit(form, () =>
    attempt({ session, notice, form, fieldOf: FIELD_OF }, async () => {
      const { profile } = await apiOf(session).updateProfile({ body: changedFields(stored, read()) });
      show(profile);
      notice.show('Your profile is saved.');
      onSaved();
      announceWrite(session.main);
    }),
  );
  const edited = () => {
    const changed = changedFields(stored, read());
    return Object.keys(changed).length === 0 ? undefined : changed;
  };
  return { show, edited, restore };
}

/** A text that is no number is sent as it is: the API says what is wrong with it. */
function hueOf(text: string): ProfileUpdate['avatar_hue'] {
  const trimmed = text.trim();
  if (trimmed === '') return null;
  return /^\d+$/.test(trimmed) ? Number(trimmed) : (trimmed as '');
}

/** A Discord profile that stays is not looked up again. */
function changedFields(before: ProfileUpdate, after: ProfileUpdate): ProfileUpdate {
  const known: Readonly<Record<string, unknown>> = before;
  const changed = Object.entries(after).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(known[name]),
  );
  return Object.fromEntries(changed);
}
