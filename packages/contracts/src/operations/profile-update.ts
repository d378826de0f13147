import { z } from 'zod';
import { illegibleMessage, isLegible } from '../primitives/plain-text.ts';
import { isTextWithin } from '../primitives/query.ts';
import { namedObject, none } from './fields.ts';
import { operation } from './operation.ts';
import { profile, profileBounds, type SocialLink } from './profiles.ts';
import { linkInput, httpsUrl, platformDomains } from './social-links.ts';

/** null or "" clears the field. */
function clearable<Schema extends z.ZodType>(schema: Schema) {
  return z.union([z.literal('').transform(() => null), z.null(), schema]).optional();
}

const discordMessage = 'must be https://discord.com/users/ and a number of 17 to 20 digits';
/** The spellings that people paste: without a scheme, of the app, with a query. */
const DISCORD_SPELLINGS =
  /^\s*(?:https?:\/\/)?(?:(?:www|ptb|canary)\.)?discord(?:app)?\.com\/users\/(\d{17,20})\/?(?:[?#]\S*)?\s*$/i;

/** The canonical URL, once parsed. */
export const discordUrl = z
  .string({ error: discordMessage })
  .regex(DISCORD_SPELLINGS, discordMessage)
  .transform((text) => `https://discord.com/users/${DISCORD_SPELLINGS.exec(text)?.[1] ?? ''}`)
  .meta({
    type: 'string',
    format: 'uri',
    pattern: '^https://discord\\.com/users/[0-9]{17,20}$',
    description: 'Other spellings of this URL are accepted, too',
  });

const gamertagMessage = `must be a text of at most ${profileBounds.gamertag} characters, or null`;
const bioMessage = `must be a text of at most ${profileBounds.bio} characters`;
const hueMessage = `must be an integer from 0 to ${profileBounds.hue}, or null`;
const linksMessage = `must be a list of at most ${profileBounds.links} links`;

/** Absent fields stay unchanged. */
const profileUpdate = z.strictObject({
  avatar_url: clearable(httpsUrl),
  avatar_hue: clearable(z.int({ error: hueMessage }).min(0, hueMessage).max(profileBounds.hue, hueMessage)),
  discord_profile_url: clearable(discordUrl),
  linked_gamertag: clearable(
    z
      .string({ error: gamertagMessage })
      .trim()
      .refine((text) => isTextWithin(text, profileBounds.gamertag) && !/\p{Cc}/u.test(text), gamertagMessage)
      .refine(isLegible, illegibleMessage)
      .meta({ maxLength: profileBounds.gamertag })
      .transform((text) => (text === '' ? null : text)),
  ),
  bio: clearable(
    z
      .string({ error: bioMessage })
      .refine((text) => isTextWithin(text, profileBounds.bio), bioMessage)
      .refine(isLegible, illegibleMessage)
      .meta({ maxLength: profileBounds.bio }),
  ),
  sync_avatar_from_discord: clearable(z.boolean({ error: 'must be true or false' })),
  social_links: clearable(
    z
      .array(linkInput, { error: linksMessage })
      .max(profileBounds.links, linksMessage)
      .transform((links) =>
        links.filter((link, index) => links.findIndex((other) => isSameLink(other, link)) === index),
      ),
  ),
});
export type ProfileUpdate = z.output<typeof profileUpdate>;

function domainList(): string {
  return [...platformDomains].map(([platform, domains]) => `${platform} to ${domains.join(' or ')}`).join(', ');
}

function isSameLink(one: SocialLink, other: SocialLink): boolean {
  return one.platform === other.platform && withoutSlash(one.url) === withoutSlash(other.url);
}

function withoutSlash(url: string): string {
  return url.replace(/\/$/, '');
}

export const updateProfile = operation({
  id: 'updateProfile',
  summary: 'Changes one’s own profile',
  method: 'POST',
  alias: 'PATCH',
  path: '/api/me/profile',
  group: 'Account',
  sample: { body: { bio: 'Up before the birds.', avatar_hue: 210 } },
  upstream: 'user-api',
  audience: 'public',
  session: 'required',
  params: none,
  query: none,
  description:
    'Fields that are absent stay as they are; null or `""` clears one. One field that fails changes nothing. A Discord profile is looked up, which shows that its number exists, not whose it is; one number belongs to one profile. The avatar is taken from it with `sync_avatar_from_discord`; the name stays the username. Clearing it clears the social links and an avatar that came from it, too. A link of a known platform must lead to its host, and two spellings of one URL are one link: ' +
    `${domainList()}. A caller without a profile gets one, even with \`{}\`.`,
  body: profileUpdate,
  response: namedObject('UpdatedProfile', { success: z.literal(true), profile }),
  errors: {
    403: 'Social links need a Discord profile that has been verified; or the caller’s data have been erased',
    502: 'The Discord profile could not be looked up; nothing has changed',
  },
  tags: [],
});
