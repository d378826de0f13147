import type { ModerationRequest } from './request.ts';

export const HELP = `Moderates user content and erases users.

  npm run moderate -- hide RATER PROFILE  hide the comments of RATER on PROFILE, later ones too; the stars still count
  npm run moderate -- show RATER PROFILE  show them again
  npm run moderate -- bar NAME            bar NAME from rating: their ratings are neither shown nor counted
  npm run moderate -- erase NAME          erase all data of NAME permanently; the feed does not re-import the user
  npm run moderate -- republish           publish all users again, for a service that has lost its store
  npm run moderate -- --help              this text

Names are usernames, in any case. The services may run meanwhile: they publish the change within seconds, or at their
next start.

  USER_DATABASE_URL        the store of users (default: users.sqlite in DATA_DIR)
  REPUTATION_DATABASE_URL  the store of ratings (default: reputation.sqlite in DATA_DIR)
  DATA_DIR                 the data directory of npm start (default: ./data)
  NETWORK_ORIGIN           the network that the stores belong to (default: simulated)
  ERASURE_KEY              for erase: the key of user-api (default: the content of forgotten.key in DATA_DIR)

Exit codes: 0 done, or nothing to do; 1 an unknown name, or an unavailable store; 2 wrong usage
`;

export function outcomeMessages(request: ModerationRequest): Record<'done' | 'already' | 'unknown', string> {
  switch (request.command) {
    case 'hide': {
      const { rater, profile } = request;
      return {
        done: `Comments of ${rater} on ${profile} are hidden, later ones too. The stars still count.`,
        already: `Nothing to do: comments of ${rater} on ${profile} are hidden already.`,
        unknown: noRatingMessage(request),
      };
    }
    case 'show': {
      const { rater, profile } = request;
      return {
        done: `Comments of ${rater} on ${profile} are shown again.`,
        already: `Nothing to do: comments of ${rater} on ${profile} are not hidden.`,
        unknown: noRatingMessage(request),
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

function noRatingMessage({ rater, profile }: { rater: string; profile: string }): string {
  return `${rater} has not rated ${profile}.`;
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
