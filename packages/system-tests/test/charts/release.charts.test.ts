import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { chartTools, temporaryDirectory } from '@lobbystats/test-kit';
import { parse } from 'yaml';
import { CHARTS, everything, renderArchive, renderChart } from './render-chart.ts';

const root = join(import.meta.dirname, '../../../..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const { version } = JSON.parse(read('package.json')) as { version: string };
const { jobs } = parse(read('.github/workflows/release.yml')) as {
  jobs: Record<string, { steps: { run?: string }[] }>;
};

/** Runs the step of a job of the release workflow that has `command`, as a runner without the right to publish. */
function runStep(job: string, command: string, cwd: string, env: Readonly<Record<string, string>> = {}): void {
  const step = jobs[job]?.steps.find(({ run = '' }) => run.includes(command));
  if (step?.run === undefined) throw new Error(`the job ${job} has no step with ${command}`);
  const path = [dirname(chartTools.helm), dirname(process.execPath), process.env['PATH']].join(':');
  execFileSync('bash', ['-euo', 'pipefail', '-c', step.run], {
    cwd,
    env: { ...process.env, ...env, PATH: path },
    stdio: 'pipe',
  });
}

describe('the release workflow', () => {
  it('packs charts that make the same objects as those of the repository', () => {
    const directory = temporaryDirectory();
    symlinkSync(join(root, 'infra'), join(directory, 'infra'));
    runStep('charts', 'helm package', directory);
    const charts = join(directory, 'charts');
    expect(readdirSync(charts).sort()).toEqual(CHARTS.map((chart) => `${chart}-${version}.tgz`).sort());
    for (const chart of CHARTS) {
      const packed = join(charts, `${chart}-${version}.tgz`);
      expect(renderArchive(packed, everything[chart])).toEqual(renderChart(chart, everything[chart]));
    }
  });

  it('packs the client and the SDK, and publishes neither without a licence', () => {
    const directory = temporaryDirectory();
    runStep('packages', 'npm pack', root, { PUBLISH: 'false', npm_config_pack_destination: directory });
    const names = ['client', 'service-auth'].map((name) => `lobbystats-${name}-${version}.tgz`);
    expect(readdirSync(directory).sort()).toEqual(names);
  });
});
