export function describeDestination(busUrl: string): string {
  const endsWithCommand = /^memory:(?::memory:)?$/.test(busUrl);
  return endsWithCommand ? `published to no consumer: ${busUrl} ends with this command` : `published to ${busUrl}`;
}
