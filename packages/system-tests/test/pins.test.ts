import { spawnSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

const root = join(import.meta.dirname, '../../..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');

/** Ends of support, by image and the beginning of its tag. Where the vendor names no date, that of the next review. */
const SUPPORTED: readonly { image: string; tag: string; until: string; source: string }[] = [
  { image: 'node', tag: '24', until: '2028-04-30', source: 'github.com/nodejs/Release' },
  { image: 'nginx', tag: '1.30', until: '2027-04-30', source: 'the next stable branch, each April: nginx.org' },
  { image: 'rabbitmq', tag: '4', until: '2027-06-30', source: 'moves with the newest 4.x; review' },
  { image: 'influxdb', tag: '2.8', until: '2027-06-30', source: 'no date by the vendor; review' },
  { image: 'mongo', tag: '8', until: '2029-10-31', source: 'mongodb.com/legal/support-policy/lifecycles' },
  { image: 'prom/prometheus', tag: 'v3.13', until: '2027-07-31', source: 'long-term support: prometheus.io' },
  { image: 'grafana/grafana', tag: '13.2', until: '2027-05-18', source: 'nine months after the release: grafana.com' },
  { image: 'certbot/certbot', tag: 'v5', until: '2027-06-30', source: 'no date by the vendor; review' },
];

/** Every default of an image in the compose files, the Dockerfile and the charts. */
function pins(): { path: string; image: string; tag: string }[] {
  const files = ['docker-compose.yml', 'docker-compose.cluster.yml', 'infra/docker/Dockerfile'];
  const compose = globSync('infra/compose/*.yml', { cwd: root });
  const found = [...files, ...compose].flatMap((path) =>
    [...read(path).matchAll(/(?<!LOBBYSTATS)_IMAGE(?::-|=)([a-z0-9./-]+):([A-Za-z0-9.-]+)/g)].map(
      ([, image = '', tag = '']) => ({ path, image, tag }),
    ),
  );
  const servers = [...read('infra/helm/lobbystats-servers/values.yaml').matchAll(/^ {2}image: (\S+):(\S+)$/gm)];
  const chart = parse(read('infra/helm/lobbystats/values.yaml')) as {
    nginx: { image: { repository: string; tag: string } };
  };
  const { repository, tag: nginxTag } = chart.nginx.image;
  return [
    ...found,
    ...servers.map(([, image = '', tag = '']) => ({ path: 'infra/helm/lobbystats-servers/values.yaml', image, tag })),
    { path: 'infra/helm/lobbystats/values.yaml', image: repository, tag: nginxTag },
  ];
}

describe('images', () => {
  it('are named with a version everywhere, the same in all files', () => {
    const tags = Map.groupBy(pins(), ({ image }) => image);
    expect([...tags.keys()].sort()).toEqual(SUPPORTED.map(({ image }) => image).sort());
    for (const [image, named] of tags) {
      expect([image, [...new Set(named.map(({ tag }) => tag))]]).toEqual([image, [named[0]?.tag]]);
    }
  });

  it.each(pins())('$path names a supported $image:$tag', ({ image, tag }) => {
    const known = SUPPORTED.find((one) => one.image === image && `${tag}.`.replace('-', '.').startsWith(`${one.tag}.`));
    expect(known).toBeDefined();
    expect(Date.parse(known?.until ?? '')).toBeGreaterThan(Date.now());
  });
});

describe('workflows', () => {
  it.each(globSync('.github/workflows/*.yml', { cwd: root }))(
    '%s names actions by commit, with the version',
    (path) => {
      const uses = [...read(path).matchAll(/\buses: (.*)$/gm)].map(([, action]) => action);
      expect(uses.length).toBeGreaterThan(0);
      expect(uses.filter((action = '') => !/^[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(action))).toEqual([]);
    },
  );
});

describe('the release workflow', () => {
  const guard = (ref: string) => spawnSync('bash', [join(root, '.ci/release-guard'), ref], { encoding: 'utf8' });
  const { version, license } = JSON.parse(read('package.json')) as { version: string; license: string };

  it('publishes a tag of the version of package.json, once there is a licence', () => {
    expect(guard(`refs/tags/v${version}`)).toMatchObject({
      status: 0,
      stdout: `version=${version}\npublish=${String(license !== 'UNLICENSED')}\n`,
    });
    expect(guard('refs/heads/main')).toMatchObject({ status: 0, stdout: `version=${version}\npublish=false\n` });
    expect(guard('refs/tags/v999.0.0')).toMatchObject({ status: 1, stdout: '' });
  });

  it('publishes nothing unless the guard permits it', () => {
    const { jobs } = parse(read('.github/workflows/release.yml')) as {
      jobs: Record<string, { steps: { if?: string; run?: string; uses?: string; with?: Record<string, unknown> }[] }>;
    };
    const steps = Object.values(jobs).flatMap((job) => job.steps);
    const publishing = steps.filter(({ run = '', uses = '' }) => /helm push|cosign sign|login-action/.test(run + uses));
    expect(publishing.length).toBe(3);
    expect(publishing.every((step) => step.if === "needs.guard.outputs.publish == 'true'")).toBe(true);
    const build = steps.find(({ uses = '' }) => uses.startsWith('docker/build-push-action'))?.with;
    expect(build).toMatchObject({
      push: "${{ needs.guard.outputs.publish == 'true' }}",
      platforms: 'linux/amd64,linux/arm64',
      provenance: 'mode=max',
      sbom: true,
    });
    expect(steps.find(({ run = '' }) => run.includes('npm publish'))?.run).toContain('if [[ $PUBLISH == true ]]');
  });
});
