import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { printHowToReuse, stackStage, type StackStage } from '../drills/stages/stack-stage.ts';
import { ComposeProject } from '@lobbystats/test-kit/compose-project';
import type { AlertStage } from './alert-fault.ts';
import { accelerateRules } from './accelerate-rules.ts';
import { Prometheus } from './prometheus.ts';

const INFRA = join(import.meta.dirname, '../../../../infra/prometheus');
const CONFIGURATION = 'prometheus.yml';

interface OpenAlertStage extends AlertStage {
  close(): Promise<void>;
}

/**
 * Starts a stack with accelerated Prometheus rules.
 *
 * @param keepRunning whether the stack stays up when the stage is closed
 */
export async function openAlertStack(times: number, keepRunning: boolean): Promise<OpenAlertStage> {
  const project = await ComposeProject.create('lobbystats-alerts', {
    ...{
      BACKFILL_DAYS: '1',
      BACKFILL_REGISTERED_DAYS: '1',
      BACKFILL_LEADERBOARD_DAYS: '0',
      BACKFILL_PLAY_TIME_DAYS: '1',
    },
  });
  const directory = acceleratedConfiguration(times);
  project.changeServices({ prometheus: { volumes: [`${directory}:/etc/prometheus:ro`] } });
  const remove = async () => {
    await project.remove();
    rmSync(directory, { recursive: true });
  };
  try {
    await project.up('--build');
    await project.up('--no-deps', 'prometheus');
    const stack = await stackStage(project.arguments, keepRunning ? () => printHowToReuse(project) : remove);
    return alertStage(stack);
  } catch (error) {
    await remove();
    throw error;
  }
}

/** A running stack with accelerated Prometheus rules. */
export async function runningAlertStack(words: readonly string[]): Promise<OpenAlertStage> {
  return alertStage(await stackStage(words));
}

function alertStage(stack: StackStage): OpenAlertStage {
  const prometheus = new Prometheus(`http://127.0.0.1:${stack.settings['PROMETHEUS_PORT']}/`);
  return { stack, prometheus, close: () => stack.close() };
}

/** Writes the accelerated configuration to a world-readable directory. */
function acceleratedConfiguration(times: number): string {
  const directory = mkdtempSync(join(tmpdir(), 'lobbystats-alerts-'));
  mkdirSync(join(directory, 'rules'));
  const files = readdirSync(join(INFRA, 'rules')).map((file) => join('rules', file));
  for (const file of [CONFIGURATION, ...files]) {
    writeFileSync(join(directory, file), accelerateRules(readFileSync(join(INFRA, file), 'utf8'), times));
  }
  chmodSync(directory, 0o755);
  return directory;
}
