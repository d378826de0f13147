export type ModerationRequest =
  | { readonly command: 'hide' | 'show'; readonly rater: string; readonly profile: string }
  | { readonly command: 'bar' | 'erase'; readonly name: string };

export function outcomeMessages(request: ModerationRequest): Record<'done' | 'already' | 'unknown', string> {
  switch (request.command) {
    case 'hide':
    case 'show': {
      const { command, rater, profile } = request;
      const [done, already] =
        command === 'hide'
          ? ['hidden, later ones too. The stars still count.', 'hidden already']
          : ['shown again.', 'not hidden'];
      return {
        done: `Comments of ${rater} on ${profile} are ${done}`,
        already: `Nothing to do: comments of ${rater} on ${profile} are ${already}.`,
        unknown: `${rater} has not rated ${profile}.`,
      };
    }
    case 'bar':
      return {
        done: `${request.name} is barred: their ratings are neither shown nor counted, and new ones are rejected.`,
        already: `Nothing to do: ${request.name} is barred already.`,
        unknown: `There is no user ${request.name}.`,
      };
    case 'erase':
      return {
        done: `${request.name} is erased.\n${ERASURE_NOTICE}`,
        already: `Nothing to do: ${request.name} was erased before. The fact is published again.`,
        unknown: `There is no user ${request.name}.`,
      };
  }
}

export function republishedMessage(people: number): string {
  return `${people} users are published again: running services consume them within seconds.`;
}

const ERASURE_NOTICE = `
Erased now: the profile, play time, achievements and player data of the gamertag.
Erased by the other services, within seconds while they run: ratings given and received, and the tracking of the player's
ranks.
Kept: keyed hashes of the names, so that the feed does not re-import the user.
Remains:
  - the network's leaderboards, which contain the player name, with their changes and versions
  - hosts of matches in snapshots, until their retention ends (30 days), and messages in the fact log, until its retention
    ends (7 days)
  - the write-ahead logs of SQLite stores (the files that end in -wal), until the services stop or overwrite them; in the
    stores themselves erased data is overwritten
  - freed pages of the standalone's message log and series, until they are written again
  - backups: after restoring one, the user must be erased again`;
