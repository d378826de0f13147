import { randomBytes } from 'node:crypto';
import { operations } from '@lobbystats/contracts';
import { eventually } from '@lobbystats/test-kit';
import { expect } from 'expect';
import { sendRequest } from '@lobbystats/test-kit/send-request';
import { docker, engineFault } from '@lobbystats/test-kit/docker';
import { freePorts } from '@lobbystats/test-kit/free-ports';
import { IMAGE } from '../../stack/image.ts';
import { postOptions } from '../abuse/post-options.ts';
import { SkippedError, type SelfContainedDrill } from '../drill.ts';

const DISK_MB = 96;
const WRITES = 60;

/** Signs in at the simulator in the container and prints the session. */
const SIGN_IN_SCRIPT = `
  const accounts = await (await fetch('http://127.0.0.1:8090/simulator/accounts')).json();
  const answer = await fetch('http://127.0.0.1:8090/api/auth/login', { method: 'POST',
    headers: { 'content-type': 'application/json' }, body: JSON.stringify(accounts[0]) });
  console.log(JSON.stringify(await answer.json()));
`;
const FILL_DISK_SCRIPT = `
  const fs = require('fs'); const file = fs.openSync('/data/filler', 'w'); let size = 1 << 20;
  while (size >= 512) { try { fs.writeSync(file, Buffer.alloc(size)); } catch { size >>= 1; } }
`;
const INTEGRITY_CHECK_SCRIPT = `
  const { DatabaseSync } = require('node:sqlite');
  for (const file of require('fs').readdirSync('/data').filter((name) => name.endsWith('.sqlite'))) {
    const [row] = new DatabaseSync('/data/' + file, { readOnly: true }).prepare('PRAGMA integrity_check').all();
    console.log(file + ' ' + row.integrity_check);
  }
`;

export const fullDisk: SelfContainedDrill = {
  number: 12,
  name: 'the disk is full',
  on: 'its own',
  run: async () => {
    if ((await engineFault()) !== undefined)
      throw new SkippedError('needs a Docker engine for a small disk, and there is none here');
    const [port = 0] = await freePorts(1);
    const settings = {
      HOST: '0.0.0.0',
      DATA_DIR: '/data',
      BACKFILL_DAYS: '1',
      BACKFILL_REGISTERED_DAYS: '1',
      BACKFILL_LEADERBOARD_DAYS: '0',
      BACKFILL_PLAY_TIME_DAYS: '1',
    };
    const env = Object.entries(settings).flatMap(([name, value]) => ['-e', `${name}=${value}`]);
    const run = [
      'run',
      '-d',
      '--tmpfs',
      `/data:size=${DISK_MB}m,uid=1000,mode=0700`,
      '-p',
      `127.0.0.1:${port}:8080`,
      ...env,
      IMAGE,
    ];
    const id = await docker([...run, 'node', 'services/standalone/src/main.ts']);
    const node = (...args: string[]) => docker(['exec', id, 'node', ...args]);
    const url = `http://127.0.0.1:${port}`;
    try {
      const session = await eventually(
        async () => {
          const { sessionKey, username } = JSON.parse(await node('--input-type=module', '-e', SIGN_IN_SCRIPT)) as {
            sessionKey: string;
            username: string;
          };
          const { status } = await sendRequest(
            url,
            operations.getProfile.path.replace(':username', encodeURIComponent(username)),
          );
          expect(status).toBe(200);
          return { sessionKey, username };
        },
        { timeoutMs: 180_000, everyMs: 1000 },
      );
      const profile = operations.getProfile.path.replace(':username', encodeURIComponent(session.username));
      const write = async (bio: string): Promise<number> =>
        (await sendRequest(url, operations.updateProfile.path, postOptions({ sessionKey: session.sessionKey, bio })))
          .status;
      const bioOf = async (): Promise<string> =>
        ((await sendRequest(url, profile)).body as { profile: { bio: string } }).profile.bio;
      expect(await write('before')).toBe(200);
      await node('-e', FILL_DISK_SCRIPT);
      const counts: Record<number, number> = {};
      let acknowledged = 'before';
      for (let index = 0; index < WRITES; index += 1) {
        const bio = `${index} ${randomBytes(400).toString('hex')}`;
        const status = await write(bio);
        expect([200, 503]).toContain(status);
        if (status === 200) acknowledged = bio;
        counts[status] = (counts[status] ?? 0) + 1;
        expect((await sendRequest(url, operations.listGames.path)).status).toBe(200);
      }
      expect(counts[503]).toBeGreaterThan(0);
      expect(await bioOf()).toBe(acknowledged);
      await docker(['exec', id, 'rm', '/data/filler']);
      const cleared = performance.now();
      await eventually(async () => expect(await write('after')).toBe(200), { timeoutMs: 10_000, everyMs: 200 });
      const againMs = performance.now() - cleared;
      expect(await bioOf()).toBe('after');
      const checked = (await node('-e', INTEGRITY_CHECK_SCRIPT)).split('\n').filter((line) => line.includes('sqlite'));
      expect(checked.filter((line) => !line.endsWith(' ok'))).toEqual([]);
      const log = await docker(['logs', id]);
      expect(log).not.toMatch(/uncaught error/);
      return [
        `a disk of ${DISK_MB} MB, full: of ${WRITES} writes ${Object.entries(counts)
          .map(([status, count]) => `${count} were ${status}`)
          .join(', ')}; reads 200; the last one that was acknowledged is there`,
        `writes again ${(againMs / 1000).toFixed(1)} s after there was room; integrity_check ok for ${checked.length} files`,
      ];
    } finally {
      await docker(['rm', '-f', id]);
    }
  },
};
