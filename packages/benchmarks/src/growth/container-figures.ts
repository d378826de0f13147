import { request } from 'node:http';
import { docker } from '@lobbystats/test-kit/docker';

/** Figures that the Docker engine measures of a container. */
export interface ContainerFigures {
  /** Processor time since its start, in milliseconds. */
  readonly cpuMs: () => Promise<number>;
  /** Without the page cache. */
  readonly memoryMb: () => Promise<number>;
}

/** The container that publishes the port of a URL. @throws Error when there is none on this machine */
export async function containerAt(url: string): Promise<ContainerFigures> {
  const { port } = new URL(url);
  const [id = ''] = (await docker(['ps', '-q', '--filter', `publish=${port}`])).split('\n');
  if (id === '') throw new Error(`no container on this machine publishes port ${port}`);
  return containerFigures(id);
}

export function containerFigures(id: string): ContainerFigures {
  return {
    cpuMs: async () => (await statsOf(id)).cpu_stats.cpu_usage.total_usage / 1e6,
    memoryMb: async () => {
      const { rss, anon = rss ?? 0 } = (await statsOf(id)).memory_stats.stats;
      return anon / 1e6;
    },
  };
}

interface ContainerStats {
  /** In nanoseconds. */
  readonly cpu_stats: { readonly cpu_usage: { readonly total_usage: number } };
  /** In bytes: `anon` with cgroup v2, `rss` with v1. */
  readonly memory_stats: { readonly stats: { readonly anon?: number; readonly rss?: number } };
}

/** `docker stats` only prints percentages. */
function statsOf(id: string): Promise<ContainerStats> {
  const host = process.env['DOCKER_HOST'] ?? 'unix:///var/run/docker.sock';
  const address = host.startsWith('unix://') ? { socketPath: host.slice('unix://'.length) } : addressOf(host);
  const path = `/containers/${id}/stats?stream=false&one-shot=true`;
  return new Promise((resolve, reject) => {
    const asked = request({ ...address, path }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      response.once('end', () => {
        if (response.statusCode === 200) resolve(JSON.parse(text) as ContainerStats);
        else reject(new Error(`the Docker engine answers ${response.statusCode}: ${text}`));
      });
    });
    asked.once('error', reject).end();
  });
}

function addressOf(host: string) {
  const { hostname, port } = new URL(host);
  return { host: hostname, port };
}
