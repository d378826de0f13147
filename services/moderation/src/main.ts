import { runModeration } from './moderation.ts';

process.exitCode = await runModeration(process.argv.slice(2), process.env, {
  out: (text) => process.stdout.write(text),
  error: (text) => process.stderr.write(text),
});
