import { runCommand } from '@lobbystats/service-kit';
import type { CliContext } from '../../cli-command.ts';
import { readDeployment, withEnvFile } from '../command/deployment.ts';
import { formatFindings } from './finding.ts';
import { checkRelease } from './check-machine.ts';
import { checkServers } from './check-servers.ts';
import { checkStandalone } from './check-standalone.ts';

export interface DoctorOptions {
  readonly envFile?: string;
  readonly json?: boolean;
}

export async function runDoctor(
  { envFile, json = false }: DoctorOptions,
  { env, clock, terminal }: CliContext,
): Promise<number> {
  return runCommand('doctor', terminal, async () => {
    const deployment = readDeployment(withEnvFile(env, envFile));
    const checked =
      deployment.form === 'standalone'
        ? await checkStandalone(deployment, clock)
        : await checkServers(deployment, clock);
    const findings = [checkRelease(process.versions.node), ...checked];
    terminal.out(json ? `${JSON.stringify(findings, undefined, 2)}\n` : formatFindings(findings));
    return findings.some(({ grade }) => grade === 'fault') ? 1 : 0;
  });
}
