export interface DiscordUser {
  readonly avatarUrl: string | null;
}

export interface Discord {
  /**
   * Undefined for an unknown ID.
   *
   * @param id 17 to 20 digits
   * @param userKey the user who asks
   * @throws AppError `lookup-failed` when Discord can't be reached, its response is invalid, or it was asked too much
   */
  user(id: string, userKey: string): Promise<DiscordUser | undefined>;
}

export function discordUrl(id: string): string {
  return `https://discord.com/users/${id}`;
}

export function discordIdOf(url: string): string {
  return url.slice(url.lastIndexOf('/') + 1);
}

/** `avatar`: Discord's name of the image; it must consist of word characters. */
export function discordAvatarUrl(id: string, avatar: string): string {
  return `${avatarUrlPrefix(id)}${avatar}.png`;
}

/** Whether an avatar URL belongs to this Discord ID. */
export function isDiscordAvatarOf(id: string | null, url: string | null): boolean {
  return id !== null && url?.startsWith(avatarUrlPrefix(id)) === true;
}

function avatarUrlPrefix(id: string): string {
  return `https://cdn.discordapp.com/avatars/${id}/`;
}
