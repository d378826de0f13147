import { runCommand, SECRETS } from '@lobbystats/service-kit';
import type { CliContext } from '../../cli-command.ts';
import { readServers } from '../../operator/command/deployment.ts';
import { rotate } from './rotate.ts';

export async function runRotate({ env, terminal }: CliContext, name: string): Promise<number> {
  return runCommand('rotate', terminal, async () => {
    await rotate(readServers(env), name, SECRETS);
    terminal.out(`${name} is replaced in its server and in the volume. Next, without ${name} in .env:\n`);
    terminal.out('docker compose up -d --wait\n');
    return 0;
  });
}
