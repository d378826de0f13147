import type { AddCommand, Run } from '../cli-command.ts';

const DETAILS = `
Names are usernames, in any case. The services may run meanwhile: they publish the change within seconds, or at their
next start.

Settings:
  USER_DATABASE_URL        the store of users (default: users.sqlite in DATA_DIR)
  REPUTATION_DATABASE_URL  the store of ratings (default: reputation.sqlite in DATA_DIR)
  DATA_DIR                 the data directory of npm start (default: ./data)
  NETWORK_ORIGIN           the network that the stores belong to (default: simulated)
  ERASURE_KEY              for erase: the key of user-api (default: the content of forgotten.key in DATA_DIR)

Exit codes: 0 done, or nothing to do; 1 an unknown name, or an unavailable store; 2 wrong usage`;

const run: Run = async (args, { env, terminal }) => {
  const { runModeration } = await import('../moderation/moderation.ts');
  return runModeration(args, env, terminal);
};

export const addModerate: AddCommand = (program, toAction) => {
  const moderate = program
    .command('moderate')
    .description('moderate user content and erase users')
    .addHelpText('after', DETAILS);
  moderate
    .command('hide <rater> <profile>')
    .description('hide the comments of RATER on PROFILE, later ones too; the stars still count')
    .action(toAction(run));
  moderate.command('show <rater> <profile>').description('show them again').action(toAction(run));
  moderate
    .command('bar <name>')
    .description('bar NAME from rating: their ratings are neither shown nor counted')
    .action(toAction(run));
  moderate
    .command('erase <name>')
    .description('erase all data of NAME permanently; the feed does not re-import the user')
    .action(toAction(run));
  moderate
    .command('republish')
    .description('publish all users again, for a service that has lost its store')
    .action(toAction(run));
};
