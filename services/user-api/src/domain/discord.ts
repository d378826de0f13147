export interface DiscordUser {
  readonly avatarUrl: string | null;
}

export interface Discord {
  /**
   * Undefined for an unknown number.
   *
   * @param id 17 to 20 digits
   * @throws AppError `lookup-failed` when it can't be told
   */
  user(id: string): Promise<DiscordUser | undefined>;
}

export function discordUrl(id: string): string {
  return `https://discord.com/users/${id}`;
}

export function discordIdOf(url: string): string {
  return url.slice(url.lastIndexOf('/') + 1);
}

/**
 * `avatar`: word characters alone.
 *
 * @param avatar Discord's name of the image, of word characters alone
 */
export function discordAvatarUrl(id: string, avatar: string): string {
  return `${avatarsOf(id)}${avatar}.png`;
}

/** Whether an avatar URL belongs to this Discord number. */
export function isDiscordAvatarOf(id: string | null, url: string | null): boolean {
  return id !== null && url?.startsWith(avatarsOf(id)) === true;
}

function avatarsOf(id: string): string {
  return `https://cdn.discordapp.com/avatars/${id}/`;
}
