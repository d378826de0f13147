import { readVersion, runCommand } from '@lobbystats/service-kit';
import type { CliContext } from '../../cli-command.ts';
import { readDeployment, withSettings } from '../command/deployment.ts';
import { findingsOf, formatFindings, type Finding } from './finding.ts';
import { checkServers } from './check-servers.ts';
import { checkStandalone } from './check-standalone.ts';

const MIN_NODE_MAJOR = 24;

interface DoctorOptions {
  readonly settings?: string;
  readonly json?: boolean;
}

export async function runDoctor(
  { env, clock, terminal }: CliContext,
  { settings, json = false }: DoctorOptions,
): Promise<number> {
  return runCommand('doctor', terminal, async () => {
    const deployment = readDeployment(withSettings(env, settings), settings);
    const checked =
      deployment.form === 'standalone'
        ? await checkStandalone(deployment, clock)
        : await checkServers(deployment, clock);
    const findings = [checkRelease(process.versions.node), ...checked];
    terminal.out(json ? `${JSON.stringify(findings, undefined, 2)}\n` : formatFindings(findings));
    return findings.some(({ grade }) => grade === 'fault') ? 1 : 0;
  });
}

function checkRelease(version: string): Finding {
  const part = findingsOf('release');
  const text = `Lobbystats ${readVersion()} on Node ${version}`;
  return Number.parseInt(version, 10) >= MIN_NODE_MAJOR
    ? part.ok(text)
    : part.fault(text, `use Node ${MIN_NODE_MAJOR}, which npm ci installs`);
}
