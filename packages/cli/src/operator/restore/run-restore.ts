import { type Env, OperatorError, readOptions, runCommand, type Terminal, UsageError } from '@lobbystats/service-kit';
import { fingerprintOf, readManifest, type Manifest } from '../backup/manifest.ts';
import { summaryOf } from '../backup/run-backup.ts';
import { readDeployment, withEnvFile, type Deployment } from '../command/deployment.ts';
import { restoreServers } from '../servers/restore-servers.ts';
import { restoreStandalone } from './restore-standalone.ts';

const HELP = `Restores a backup of npm run backup: npm run restore -- --from DIRECTORY

  --from DIRECTORY  the backup
  --force           permanently replace existing data; without it a target that isn't empty is refused
  --env-file FILE   settings, such as the .env of docker compose: for the distributed form
  --help            this text

The services must be stopped. For the distributed form the three servers must run and be provisioned:
  docker compose up -d --wait rabbitmq influxdb mongodb && docker compose run --rm init
Checksums are verified before anything is changed, and counts are compared at the end. Repeat an interrupted restore with the
same command. Points that have expired since the backup (snapshots: 30 days) are skipped and counted.

Exit codes: 0 done, and all counts match the backup; 1 failed; 2 wrong usage
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
    if (from === undefined) throw new UsageError('--from DIRECTORY is required');
    const deployment = readDeployment(withEnvFile(env, options['env-file']));
    const manifest = readManifest(from);
    verifyForm(manifest, deployment);
    warnAboutErasureKey(manifest, deployment, terminal);
    if (deployment.form === 'standalone') await restoreStandalone(deployment, { from, manifest, force }, terminal);
    else await restoreServers(deployment, { from, manifest, force, clock }, terminal);
    terminal.out(`${summaryOf(manifest)}\nRestored and compared: all counts match the backup.\n`);
    return 0;
  });
}

function verifyForm({ form }: Manifest, deployment: Deployment): void {
  if (form === deployment.form) return;
  throw new OperatorError(
    form === 'standalone'
      ? 'this is a backup of a standalone: restore it into a DATA_DIR, and copy that to the servers with npm run migrate'
      : 'this is a backup of the distributed form: set its servers with --env-file .env',
  );
}

function warnAboutErasureKey({ forgottenKey }: Manifest, deployment: Deployment, terminal: Terminal): void {
  if (deployment.form === 'standalone' || forgottenKey === null) return;
  const key = deployment.erasureKey?.reveal();
  if (key !== undefined && fingerprintOf(key) === forgottenKey) return;
  terminal.error(
    'restore: ERASURE_KEY differs from that of the backup: erased users will be re-imported. ' +
      'Set it to the previous key before the services start\n',
  );
}
