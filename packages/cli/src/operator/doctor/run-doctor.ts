import { type Env, readOptions, runCommand, type Terminal } from '@lobbystats/service-kit';
import { readDeployment, withEnvFile } from '../command/deployment.ts';
import { formatFindings } from './finding.ts';
import { checkRelease } from './check-machine.ts';
import { checkServers } from './check-servers.ts';
import { checkStandalone } from './check-standalone.ts';

const HELP = `Checks the system and names a remedy for each fault: npm run doctor

  --env-file FILE  settings, such as the .env of docker compose: for the distributed form
  --json           print JSON
  --help           this text

Without --env-file, and with no administrator's password set, it checks DATA_DIR of npm start (default: ./data).
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
    const checked =
      deployment.form === 'standalone'
        ? await checkStandalone(deployment, clock)
        : await checkServers(deployment, clock);
    const findings = [checkRelease(process.versions.node), ...checked];
    terminal.out(options.json === true ? `${JSON.stringify(findings, undefined, 2)}\n` : formatFindings(findings));
    return findings.some(({ grade }) => grade === 'fault') ? 1 : 0;
  });
}
