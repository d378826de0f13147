import process from 'node:process';
import { runInit } from './env-file.ts';

// `npm run init` works before `npm ci`, so it can't load commander.
const [file, ...others] = process.argv.slice(2);
const isHelp = file === '--help' || file === '-h';
if (isHelp || file?.startsWith('-') === true || others.length > 0) {
  const usage =
    'npm run init: adds the secrets of the stack in this directory to .env\nnpm run init -- FILE: adds random secrets of another deployment to FILE\n';
  (isHelp ? process.stdout : process.stderr).write(usage);
  process.exitCode = isHelp ? 0 : 2;
} else {
  process.exitCode = await runInit(
    { terminal: { out: (text) => process.stdout.write(text), error: (text) => process.stderr.write(text) } },
    file,
  );
}
