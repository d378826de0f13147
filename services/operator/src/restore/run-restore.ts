import { type Env, OperatorError, readOptions, runCommand, type Terminal, UsageError } from '@lobbystats/service-kit';
import { fingerprintOf, readManifest, type Manifest } from '../backup/manifest.ts';
import { summaryOf } from '../backup/run-backup.ts';
import { readDeployment, withEnvFile, type Deployment } from '../command/deployment.ts';
import { restoreServers } from '../servers/restore-servers.ts';
import { restoreStandalone } from './restore-standalone.ts';

const HELP = `Puts back what npm run backup has copied: npm run restore -- --from DIRECTORY

  --from DIRECTORY  the copy
  --force           replace what is there, for good; without it a place that isn't empty is refused
  --env-file FILE   settings, such as the .env of docker compose: for the distributed form
  --help            this text

The services must be stopped. Of the distributed form the three servers run and are prepared:
  docker compose up -d --wait rabbitmq influxdb mongodb && docker compose run --rm init
Checksums are verified before anything is touched, and counts compared at the end. A restore that was cut off is begun again by
the same command. Points that have expired meanwhile (snapshots: 30 days) are left out, and said.

Exit codes: 0 done, and all counts are those of the copy; 1 it failed; 2 wrong usage
`;

export async function runRestore(
  args: readonly string[],
  env: Env,
  { clock, terminal }: { clock: () => number; terminal: Terminal },
): Promise<number> {
  return runCommand('restore', terminal, async () => {
    const options = readOptions(args, {
      from: { type: 'string' },
      force: { type: 'boolean' },
      'env-file': { type: 'string' },
      help: { type: 'boolean', short: 'h' },
    });
    if (options.help === true || args.length === 0) {
      terminal.out(HELP);
      return 0;
    }
    const { from, force = false } = options;
    if (from === undefined) throw new UsageError('--from says where the copy is');
    const deployment = readDeployment(withEnvFile(env, options['env-file']));
    const manifest = readManifest(from);
    expectForm(manifest, deployment);
    sayOfKey(manifest, deployment, terminal);
    if (deployment.form === 'standalone') await restoreStandalone(deployment, { from, manifest, force }, terminal);
    else await restoreServers(deployment, { from, manifest, force, clock }, terminal);
    terminal.out(`${summaryOf(manifest)}\nRestored, and compared: all counts are those of the copy.\n`);
    return 0;
  });
}

function expectForm({ form }: Manifest, deployment: Deployment): void {
  if (form === deployment.form) return;
  throw new OperatorError(
    form === 'standalone'
      ? 'this is the copy of a standalone: restore it into a DATA_DIR, and take that over with npm run migrate'
      : 'this is the copy of the distributed form: name its servers with --env-file .env',
  );
}

function sayOfKey({ forgottenKey }: Manifest, deployment: Deployment, terminal: Terminal): void {
  if (deployment.form === 'standalone' || forgottenKey === null) return;
  const key = deployment.forgottenKey?.reveal();
  if (key !== undefined && fingerprintOf(key) === forgottenKey) return;
  terminal.error(
    'restore: FORGOTTEN_KEY is not the one that the copy was made with: those who were forgotten will come back from the feed. ' +
      'Set it to the one of then before the services start\n',
  );
}
