import { formatTimestamp } from '@lobbystats/contracts';
import type { openReputationModeration } from '@lobbystats/reputation-api/admin';
import { escapeControls } from '@lobbystats/service-kit';

export type ModerationRequest =
  | { readonly command: 'hide' | 'show'; readonly rater: string; readonly profile: string }
  | {
      readonly command: 'dismiss';
      readonly rater: string;
      readonly profile: string;
      /** Timestamp of the report, as it is listed. */
      readonly shown: string | undefined;
    }
  | {
      readonly command: 'bar' | 'unbar' | 'stop-channels' | 'start-channels' | 'erase';
      readonly name: string;
    }
  | { readonly command: 'allow'; readonly name: string; readonly gamertag: string | undefined };

/** `changed`: the report is another than the one shown. */
type Messages = Record<'done' | 'already' | 'unknown', string> & { changed?: string };

export function outcomeMessages(request: ModerationRequest): Messages {
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
    case 'dismiss': {
      const { rater, profile } = request;
      return {
        done: `The report of the comment of ${rater} on ${profile} is dismissed.`,
        already: `Nothing to do: the comment of ${rater} on ${profile} is not reported.`,
        changed: `${profile} has reported the comment of ${rater} again meanwhile: list the reports, and decide on the text that is shown then.`,
        unknown: `${rater} has not rated ${profile}.`,
      };
    }
    case 'bar':
      return {
        done: `${request.name} is barred: their ratings are neither shown nor counted, and new ones are rejected.`,
        already: `Nothing to do: ${request.name} is barred already.`,
        unknown: `There is no user ${request.name}.`,
      };
    case 'unbar':
      return {
        done: `${request.name} may rate again, and their ratings are shown and counted.`,
        already: `Nothing to do: ${request.name} is not barred.`,
        unknown: `There is no user ${request.name}.`,
      };
    case 'stop-channels':
      return {
        done: `All channels of ${request.name} are stopped: nothing is delivered, and none can be added, removed or started.`,
        already: `Nothing to do: the channels of ${request.name} are stopped already.`,
        unknown: `There is no user ${request.name}.`,
      };
    case 'start-channels':
      return {
        done: `The channels of ${request.name} are started again: webhooks after a challenge, which their owner asks for.`,
        already: `Nothing to do: the channels of ${request.name} are not stopped.`,
        unknown: '',
      };
    case 'allow':
      return {
        done: `${request.name} is allowed again, as a new user: what was erased does not come back.`,
        already: `Nothing to do: ${request.name} is not erased.`,
        unknown: '',
      };
    case 'erase':
      return {
        done: `${request.name} is erased.\n${ERASURE_NOTICE}`,
        already: `Nothing to do: ${request.name} was erased before. The fact is published again.`,
        unknown: `There is no user ${request.name}.`,
      };
  }
}

export function republishedMessage(users: number): string {
  return `${users} users are published again: running services consume them within seconds.`;
}

type Moderation = Awaited<ReturnType<typeof openReputationModeration>>;

/** One report a line, with the text that was reported and that of now. Texts of users are quoted and escaped: they could control the terminal. */
export function reportsMessage(reports: Awaited<ReturnType<Moderation['reports']>>): string {
  const quote = (text: string | null) => (text === null ? 'none' : escapeControls(JSON.stringify(text)));
  const lines = reports.map(
    ({ raterUsername, profileUsername, comment, reportedAt, reportReason, reportedComment }) =>
      `${formatTimestamp(reportedAt ?? 0)} ${raterUsername} on ${profileUsername}: reported ${quote(reportedComment)}; ` +
      `now ${comment !== null && comment === reportedComment ? 'the same' : quote(comment)}; reason: ${quote(reportReason)}`,
  );
  return lines.length === 0 ? 'There are no open reports.' : lines.join('\n');
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
