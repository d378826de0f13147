/** Somebody whom Discord knows. */
export interface DiscordUser {
  /** null: they have no avatar, or none that can be shown. */
  readonly avatarUrl: string | null;
}

/** Discord, as far as profiles ask it. */
export interface Discord {
  /**
   * Whom a number belongs to; undefined: to nobody.
   *
   * @param id 17 to 20 digits
   * @throws AppError `lookup-failed` when it can't be told
   */
  user(id: string): Promise<DiscordUser | undefined>;
}

/** Where Discord shows the user with a number: the form in which people give it. */
export function discordUrl(id: string): string {
  return `https://discord.com/users/${id}`;
}

/** The number of such a URL. */
export function discordIdOf(url: string): string {
  return url.slice(url.lastIndexOf('/') + 1);
}

/** @param avatar Discord's name of the image, of word characters alone */
export function discordAvatarUrl(id: string, avatar: string): string {
  return `${avatarsOf(id)}${avatar}.png`;
}

/** Whether an avatar came from the user with a number. */
export function isDiscordAvatarOf(id: string | null, url: string | null): boolean {
  return id !== null && url?.startsWith(avatarsOf(id)) === true;
}

function avatarsOf(id: string): string {
  return `https://cdn.discordapp.com/avatars/${id}/`;
}
