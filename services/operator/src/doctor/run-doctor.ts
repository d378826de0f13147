import { type Env, readOptions, runCommand, type Terminal } from '@lobbystats/service-kit';
import { readDeployment, withEnvFile } from '../command/deployment.ts';
import { showFindings } from './finding.ts';
import { lookAtRelease } from './look-at-machine.ts';
import { lookAtServers } from './look-at-servers.ts';
import { lookAtStandalone } from './look-at-standalone.ts';

const HELP = `Says how the system is, and what to do about what isn't well: npm run doctor

  --env-file FILE  settings, such as the .env of docker compose: for the distributed form
  --json           answer in JSON
  --help           this text

Without --env-file, and with no administrator's password set, it looks at what npm start keeps in DATA_DIR (default: ./data).
It changes nothing, and prints no secret.

Exit codes: 0 no fault, though there may be warnings; 1 a fault; 2 wrong usage
`;

export async function runDoctor(
  args: readonly string[],
  env: Env,
  { clock, terminal }: { clock: () => number; terminal: Terminal },
): Promise<number> {
  return runCommand('doctor', terminal, async () => {
    const options = readOptions(args, {
      'env-file': { type: 'string' },
      json: { type: 'boolean' },
      help: { type: 'boolean', short: 'h' },
    });
    if (options.help === true) {
      terminal.out(HELP);
      return 0;
    }
    const deployment = readDeployment(withEnvFile(env, options['env-file']));
    const looked =
      deployment.form === 'standalone'
        ? await lookAtStandalone(deployment, clock)
        : await lookAtServers(deployment, clock);
    const findings = [lookAtRelease(process.versions.node), ...looked];
    terminal.out(options.json === true ? `${JSON.stringify(findings, undefined, 2)}\n` : showFindings(findings));
    return findings.some(({ grade }) => grade === 'fault') ? 1 : 0;
  });
}
