import { randomUUID } from 'node:crypto';
import { docker } from '@lobbystats/test-kit/docker';

/** A disk of a few megabytes, for a server that must run out of space. */
export interface SmallDisk {
  /** Name of the Docker volume. */
  readonly volume: string;
  /** Uses all free space. */
  fill(): Promise<void>;
  freeSpace(): Promise<void>;
  /** Call after its containers are removed. */
  remove(): Promise<void>;
}

/**
 * Creates one in memory.
 *
 * @param image any image with a shell and `dd`
 */
export async function smallDisk(image: string, megabytes: number): Promise<SmallDisk> {
  const volume = `lobbystats-disk-${randomUUID()}`;
  const size = ['--opt', `o=size=${megabytes}m`];
  await docker(['volume', 'create', '--opt', 'type=tmpfs', '--opt', 'device=tmpfs', ...size, volume]);
  // A tmpfs volume is lost without containers; this one holds it while the server is down.
  const holder = ['--network', 'none', '-v', `${volume}:/disk`, '--entrypoint', 'sleep', image, 'infinity'];
  const id = await docker(['run', '-d', ...holder]);
  const shell = (command: string) => docker(['exec', id, 'sh', '-c', command]);
  return {
    volume,
    fill: async () => {
      await shell(
        'dd if=/dev/zero of=/disk/ballast bs=4k 2>/dev/null; test "$(df --output=avail /disk | tail -1)" -eq 0',
      );
    },
    freeSpace: async () => {
      await shell('rm /disk/ballast');
    },
    remove: async () => {
      await docker(['rm', '-f', id]);
      await docker(['volume', 'rm', volume]);
    },
  };
}
