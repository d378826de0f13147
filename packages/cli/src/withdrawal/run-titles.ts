import type { openCatalogContents } from '@lobbystats/catalog-api/admin';
import { formatInstant, isTitleId, parseInstant } from '@lobbystats/contracts';
import { escapeControls, runCommand, UsageError, type Terminal } from '@lobbystats/service-kit';
import type { CliContext } from '../cli-command.ts';
import { withStores } from './stores.ts';

interface TitlesOptions {
  readonly since?: string;
  readonly remove?: boolean;
  readonly settings?: string;
}

/** Lists titles with what they have, and removes them on request. Returns the exit code: 0 done, 1 failed, 2 wrong usage. */
export async function runTitles(
  { env, clock, terminal }: CliContext,
  titleIds: readonly string[],
  { since, remove = false, settings }: TitlesOptions,
): Promise<number> {
  return runCommand('titles', terminal, async () => {
    const named = titleIds.map(titleIdOf);
    const from = since === undefined ? undefined : instantOf(since);
    if (named.length === 0 && from === undefined) throw new UsageError('name titles by ID, or give --since');
    return withStores({ env, clock, settings }, async ({ collected, catalog }) => {
      const fresh = from === undefined ? [] : await (await collected()).since(from);
      const chosen = [...new Set([...named, ...fresh])].toSorted();
      await listTitles(chosen, await catalog(), terminal);
      if (remove && chosen.length > 0) {
        const withdrawnAt = formatInstant(Math.floor(clock() / 1000));
        await (await collected()).withdraw({ withdrawnAt, slots: null, titleIds: chosen });
      }
      const verb = remove
        ? 'are removed within seconds where a collector runs, else when one starts.'
        : 'would be removed with --remove.';
      terminal.out(`${chosen.length} titles ${verb}\n`);
      return 0;
    });
  });
}

/** Names are quoted and escaped: they come from the network. */
async function listTitles(
  titleIds: readonly string[],
  catalog: Awaited<ReturnType<typeof openCatalogContents>>,
  terminal: Terminal,
): Promise<void> {
  const names = await catalog.names();
  for (const titleId of titleIds) {
    const { boards, changes } = await catalog.count(titleId);
    const name = escapeControls(JSON.stringify(names.get(titleId) ?? ''));
    terminal.out(`${titleId} ${name}: ${boards} leaderboards, ${changes} changes\n`);
  }
}

function titleIdOf(text: string): string {
  const titleId = text.toLowerCase();
  if (!isTitleId(titleId)) throw new UsageError(`"${text}" is not a title ID: 8 hexadecimal digits`);
  return titleId;
}

/** A day, or a time of the form that logs have. */
function instantOf(text: string): number {
  const isDay = /^\d{4}-\d{2}-\d{2}$/.test(text);
  const instant = isDay ? `${text}T00:00:00Z` : text.replace(' ', 'T').replace(/Z?$/, 'Z');
  if (Number.isNaN(Date.parse(instant))) throw new UsageError(`"${text}" is not a day or time, such as 2026-01-31`);
  return parseInstant(instant);
}
