export function publishedWhere(busUrl: string): string {
  const endsWithCommand = /^memory:(?::memory:)?$/.test(busUrl);
  return endsWithCommand ? `published to nobody: ${busUrl} ends with this command` : `published to ${busUrl}`;
}
