import { OperatorError, runCommand, type Terminal } from '@lobbystats/service-kit';
import type { CliContext } from '../../cli-command.ts';
import { fingerprintOf, readManifest, summaryOf, type Manifest } from '../backup/manifest.ts';
import { readDeployment, withEnvFile, type Deployment } from '../command/deployment.ts';
import { restoreServers } from '../servers/restore-servers.ts';
import { restoreStandalone } from './restore-standalone.ts';

interface RestoreOptions {
  readonly from: string;
  readonly force?: boolean;
  readonly envFile?: string;
}

export async function runRestore(
  { env, clock, terminal }: CliContext,
  { from, force = false, envFile }: RestoreOptions,
): Promise<number> {
  return runCommand('restore', terminal, async () => {
    const deployment = readDeployment(withEnvFile(env, envFile));
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
      ? 'this is a backup of a standalone: restore it into a DATA_DIR, and copy that to the servers with npx lobbystats migrate'
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
