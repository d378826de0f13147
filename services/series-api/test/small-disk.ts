import { randomUUID } from 'node:crypto';
import { docker } from '../../../test/stack/docker.ts';

/** A disk of a few megabytes, for a server that is to run out of room. */
export interface SmallDisk {
  /** Its name as a Docker volume. */
  readonly volume: string;
  /** Leaves no room at all. */
  fill(): Promise<void>;
  makeRoom(): Promise<void>;
  /** After the containers that use it. */
  remove(): Promise<void>;
}

/**
 * Makes one in memory.
 *
 * @param image any that has a shell and `dd`
 */
export async function smallDisk(image: string, megabytes: number): Promise<SmallDisk> {
  const volume = `lobbystats-disk-${randomUUID()}`;
  const size = ['--opt', `o=size=${megabytes}m`];
  await docker(['volume', 'create', '--opt', 'type=tmpfs', '--opt', 'device=tmpfs', ...size, volume]);
  // What lies in memory is gone once no container has it: this one keeps it while the server is down.
  const keeper = ['--network', 'none', '-v', `${volume}:/disk`, '--entrypoint', 'sleep', image, 'infinity'];
  const id = await docker(['run', '-d', ...keeper]);
  const shell = (command: string) => docker(['exec', id, 'sh', '-c', command]);
  return {
    volume,
    fill: async () => {
      await shell(
        'dd if=/dev/zero of=/disk/ballast bs=4k 2>/dev/null; test "$(df --output=avail /disk | tail -1)" -eq 0',
      );
    },
    makeRoom: async () => {
      await shell('rm /disk/ballast');
    },
    remove: async () => {
      await docker(['rm', '-f', id]);
      await docker(['volume', 'rm', volume]);
    },
  };
}
