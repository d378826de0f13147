import type { AddCommands, CliContext } from '../cli-command.ts';
import type { ModerationRequest } from '../moderation/messages.ts';

const DETAILS = `
Names are usernames, in any case. The services may run meanwhile: they publish the change within seconds, or at their
next start.

Settings:
  DATA_DIR        the data directory of npm start (default: ./data)
  MONGODB_URL     the server of the distributed form, instead of DATA_DIR; with MONGODB_USER_API_PASSWORD and
                  MONGODB_REPUTATION_API_PASSWORD
  NETWORK_ORIGIN  the network that the stores belong to (default: simulated)
  ERASURE_KEY     for erase and allow: the key of user-api (default: the content of erasure.key in DATA_DIR)

Exit codes: 0 done, or nothing to do; 1 an unknown name, a report that is no longer the one of TIME, or an
unavailable store; 2 wrong usage`;

function load<Names extends (string | undefined)[]>(toRequest: (...names: Names) => ModerationRequest) {
  return async () => {
    const { runModeration } = await import('../moderation/moderation.ts');
    return (context: CliContext, ...names: Names) => runModeration(context, toRequest(...names));
  };
}

export const addModerate: AddCommands = (program, toAction) => {
  const moderate = program
    .command('moderate')
    .description('moderate user content and erase users')
    .addHelpText('after', DETAILS);
  moderate
    .command('hide <rater> <profile>')
    .description('hide the comments of RATER on PROFILE, later ones too; the stars still count')
    .action(toAction(load((rater: string, profile: string) => ({ command: 'hide', rater, profile }))));
  moderate
    .command('show <rater> <profile>')
    .description('show them again')
    .action(toAction(load((rater: string, profile: string) => ({ command: 'show', rater, profile }))));
  moderate
    .command('reports')
    .description('list the comments that users have reported, the 100 oldest reports')
    .action(toAction(async () => (await import('../moderation/moderation.ts')).runReports));
  moderate
    .command('dismiss <rater> <profile> [time]')
    .description(
      'settle the report of the comment of RATER on PROFILE without hiding it; with TIME only the one of then',
    )
    .action(
      toAction(
        load((rater: string, profile: string, shown?: string) => ({ command: 'dismiss', rater, profile, shown })),
      ),
    );
  moderate
    .command('bar <name>')
    .description('bar NAME from rating: their ratings are neither shown nor counted')
    .action(toAction(load((name: string) => ({ command: 'bar', name }))));
  moderate
    .command('unbar <name>')
    .description('revert bar: NAME may rate again, and the ratings are shown and counted')
    .action(toAction(load((name: string) => ({ command: 'unbar', name }))));
  moderate
    .command('stop-channels <name>')
    .description('stop all channels of NAME, those that would be added, too')
    .action(toAction(load((name: string) => ({ command: 'stop-channels', name }))));
  moderate
    .command('start-channels <name>')
    .description('revert stop-channels')
    .action(toAction(load((name: string) => ({ command: 'start-channels', name }))));
  moderate
    .command('erase <name>')
    .description('erase all data of NAME permanently; the feed does not re-import the user')
    .action(toAction(load((name: string) => ({ command: 'erase', name }))));
  moderate
    .command('erased')
    .description('print the hashes of all erased users: a list to keep for erase-again')
    .action(toAction(async () => (await import('../moderation/moderation.ts')).runErased));
  moderate
    .command('erase-again <file>')
    .description('erase the users of such a list again, as after the restore of an older backup; - is standard input')
    .action(toAction(async () => (await import('../moderation/moderation.ts')).runEraseAgain));
  moderate
    .command('allow <name> [gamertag]')
    .description('allow NAME again after an erasure, as a new user; with the gamertag, its player data, too')
    .action(toAction(load((name: string, gamertag?: string) => ({ command: 'allow', name, gamertag }))));
  moderate
    .command('republish')
    .description('publish all users again, for a service that has lost its store')
    .action(toAction(async () => (await import('../moderation/moderation.ts')).runRepublish));
};
