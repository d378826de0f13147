/** Where a command's messages are now, for people: a bus without a journal ends with the command. */
export function publishedWhere(busUrl: string): string {
  const endsWithCommand = /^memory:(?::memory:)?$/.test(busUrl);
  return endsWithCommand ? `published to nobody: ${busUrl} ends with this command` : `published to ${busUrl}`;
}
