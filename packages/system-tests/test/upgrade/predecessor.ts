import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Root of the repository. */
export const REPOSITORY = join(import.meta.dirname, '../../../..');

/** The release whose data this one must read. */
interface Predecessor {
  /** A git tag or commit. */
  readonly ref: string;
  /** Undefined when this clone does not have it. */
  readonly commit: string | undefined;
}

/** Finds the release named by UPGRADE_FROM, or else by `config.predecessor` of the root package.json. */
function findPredecessor(): Predecessor {
  const { config } = JSON.parse(readFileSync(join(REPOSITORY, 'package.json'), 'utf8')) as {
    config: { predecessor: string };
  };
  const ref = process.env['UPGRADE_FROM'] ?? config.predecessor;
  try {
    return { ref, commit: git('rev-parse', '--verify', '--quiet', `${ref}^{commit}`) };
  } catch {
    return { ref, commit: undefined };
  }
}

/** The predecessor's commit, and `describe` for suites that start it. */
export interface UpgradeSuite {
  readonly commit: string;
  /** Skips the suite in a clone without the predecessor, such as a shallow one. */
  readonly suite: jest.Describe;
}

export function upgradeSuite(): UpgradeSuite {
  const { ref, commit } = findPredecessor();
  if (commit !== undefined) return { commit, suite: describe };
  process.stderr.write(`Skipped: this clone does not have the predecessor ${ref} (git fetch --unshallow --tags)\n`);
  return { commit: ref, suite: describe.skip };
}

/** Runs git in the repository. Returns its output. */
export function git(...args: readonly string[]): string {
  return execFileSync('git', args, { cwd: REPOSITORY, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
}
