import type { Moderating } from './request.ts';

export const HELP = `What operators do about people.

  npm run people -- hide RATER PROFILE  hide what RATER comments on PROFILE, now and later; the stars still count
  npm run people -- show RATER PROFILE  show it again
  npm run people -- bar NAME            bar NAME from rating: none of their ratings is shown or counts any more
  npm run people -- forget NAME         erase all that the site holds of NAME, for good; the feed doesn't make them anew
  npm run people -- announce            tell the other services of everybody again: when one has lost its store
  npm run people -- --help              this text

Names are usernames, in any case. The services may run meanwhile: they tell each other of it within seconds. When they don't,
they do so at their next start.

  USER_DATABASE_URL        the store of people (default: users.sqlite in DATA_DIR)
  REPUTATION_DATABASE_URL  the store of ratings (default: reputation.sqlite in DATA_DIR)
  DATA_DIR                 where npm start keeps everything (default: ./data)
  NETWORK_ORIGIN           the network that the stores belong to (default: simulated)
  FORGOTTEN_KEY            for forget: the key that user-api has (default: what stands in forgotten.key in DATA_DIR)

Exit codes: 0 done, or nothing to do; 1 an unknown name, or a store that can't be had; 2 wrong usage
`;

export function answers(request: Moderating): Record<'done' | 'already' | 'unknown', string> {
  switch (request.command) {
    case 'hide': {
      const { rater, profile } = request;
      return {
        done: `Comments of ${rater} on ${profile} are hidden, later ones too. The stars still count.`,
        already: `Nothing to do: comments of ${rater} on ${profile} are hidden already.`,
        unknown: noRating(request),
      };
    }
    case 'show': {
      const { rater, profile } = request;
      return {
        done: `Comments of ${rater} on ${profile} are shown again.`,
        already: `Nothing to do: comments of ${rater} on ${profile} are not hidden.`,
        unknown: noRating(request),
      };
    }
    case 'bar':
      return {
        done: `${request.name} is barred: their ratings neither show nor count, and new ones are refused.`,
        already: `Nothing to do: ${request.name} is barred already.`,
        unknown: `Nobody is called ${request.name}.`,
      };
    case 'forget':
      return {
        done: `${request.name} is forgotten.\n${WHAT_FORGETTING_MEANS}`,
        already: `Nothing to do: ${request.name} was forgotten before. The services are told again.`,
        unknown: `Nobody is called ${request.name}.`,
      };
  }
}

function noRating({ rater, profile }: { rater: string; profile: string }): string {
  return `${rater} has not rated ${profile}.`;
}

export function announced(people: number): string {
  return `${people} people are announced: the services take them in as soon as they are told, within seconds while they run.`;
}

const WHAT_FORGETTING_MEANS = `
Erased now: their profile, play time, achievements and what was counted for their gamertag.
Erased as soon as the services are told, within seconds while they run: their ratings, given and received, and their place
among the players whose ranks are followed.
Kept: a keyed hash of their names, so that the feed doesn't make them anew.
Stays:
  - the network's boards, which name them as the network does, with their changes and versions
  - hosts of matches in snapshots, until their retention ends (30 days), and what the log of facts has told of them, until its
    retention ends (7 days)
  - the write-ahead logs of SQLite stores (the files that end in -wal), until the services stop or overwrite them; in the
    stores themselves what is erased is overwritten
  - freed pages of the standalone's message log and series, until they are written again
  - backups: restore one, and they have to be forgotten again`;
