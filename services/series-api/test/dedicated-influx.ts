import { eventually, testServers } from '@lobbystats/test-kit';
import { docker, pauseContainer, unpauseContainer } from '@lobbystats/test-kit/docker';
import { freePorts } from '@lobbystats/test-kit/free-ports';

/** An InfluxDB of one test, for operations that would disturb the shared one. */
export interface DedicatedInflux {
  readonly url: string;
  readonly adminToken: string;
  readonly org: string;
  pause(): Promise<void>;
  unpause(): Promise<void>;
  /** Kills and restarts it with the same data; resolves when it is ready. */
  killAndRestart(): Promise<void>;
  remove(): Promise<void>;
}

export interface DedicatedInfluxOptions {
  /** Docker volume of its data; by default the file system of the container. */
  volume?: string;
}

/** The image of the run's server. */
export async function influxImage(): Promise<string> {
  const shared = new URL(testServers().influxdb.url).port;
  return docker(['ps', '--filter', `publish=${shared}`, '--format', '{{.Image}}']);
}

/** Starts a server from the shared one's image on a free port. */
export async function startDedicatedInflux({ volume }: DedicatedInfluxOptions = {}): Promise<DedicatedInflux> {
  const [adminToken, org] = ['own-admin-token', 'own'];
  const [port] = (await freePorts(1)) as [number];
  const settings = {
    MODE: 'setup',
    USERNAME: 'admin',
    PASSWORD: 'own-admin-password',
    ADMIN_TOKEN: adminToken,
    ORG: org,
    BUCKET: 'first',
  };
  const env = Object.entries(settings).flatMap(([name, value]) => ['-e', `DOCKER_INFLUXDB_INIT_${name}=${value}`]);
  const disk = volume === undefined ? [] : ['-v', `${volume}:/var/lib/influxdb2`];
  const id = await docker(['run', '-d', '-p', `127.0.0.1:${port}:8086`, ...disk, ...env, await influxImage()]);
  const url = `http://127.0.0.1:${port}`;
  const ready = () =>
    eventually(async () => {
      const headers = { authorization: `Token ${adminToken}` };
      const answer = await fetch(`${url}/api/v2/orgs?org=${org}`, { headers }).catch(() => undefined);
      expect(answer?.status).toBe(200);
    });
  const remove = async () => {
    await docker(['rm', '-f', '-v', id]);
  };
  try {
    await ready();
  } catch (error) {
    await remove();
    throw error;
  }
  return {
    url,
    adminToken,
    org,
    pause: () => pauseContainer(id),
    unpause: () => unpauseContainer(id),
    killAndRestart: async () => {
      await docker(['kill', id]);
      await docker(['start', id]);
      await ready();
    },
    remove,
  };
}
