import {
  createLogger,
  describeFileError,
  fileExists,
  OperatorError,
  type Env,
  type Terminal,
} from '@lobbystats/service-kit';
import { readCollectorConfig } from './config.ts';
import { leadOnce, openSavedPages } from './context.ts';
import { collectorService } from './service.ts';
import { describeCommand } from './network/page-failures.ts';
import { sourceLine } from './try/describe-reading.ts';
import { tryNetwork } from './try/try-network.ts';
import { trySavedPages } from './try/try-saved-pages.ts';

interface TryOptions {
  readonly save?: string;
  readonly sources?: string;
}

/**
 * Prints what each source of a network yields, or why it is refused. Stores and publishes nothing.
 *
 * @param source the URL of the network, or a file of saved pages
 * @returns the exit code: 0 everything was read, 1 the homepage is refused, 2 another source is refused or missing
 */
export async function runTry(
  { env, terminal }: { env: Env; terminal: Terminal },
  source: string,
  { save, sources }: TryOptions,
): Promise<number> {
  const printLine = (line: string) => terminal.out(`${line}\n`);
  try {
    const isFile = !/^https?:/i.test(source);
    if (isFile && !fileExists(source)) throw new OperatorError(`${source} is neither a URL nor a file`);
    const config = readCollectorConfig(settingsOf(env, isFile ? undefined : source, sources));
    const logger = createLogger({ service: 'collector', level: 'error', format: 'pretty', write: () => undefined });
    const overrides = { logger, backoffMs: () => 1000, ...(save !== undefined && { saveTo: save }) };
    return await collectorService.withParts(config, overrides, async (context) => {
      if (!isFile) return (await leadOnce(context, (collection) => tryNetwork(collection, printLine))) ?? 1;
      const code = await trySavedPages(await openSavedPages(source, context), printLine);
      if (code !== 0) printLine(sourceLine('', describeCommand(source)));
      return code;
    });
  } catch (error) {
    terminal.error(`network try: ${describeFileError(error)}\n`);
    return 1;
  }
}

/** The settings of a command that asks a network and stores nothing. */
export function settingsOf(env: Env, url: string | undefined, sources: string | undefined): Env {
  const NETWORK_URL = url ?? env['NETWORK_URL'] ?? 'http://127.0.0.1:8090';
  const host = URL.canParse(NETWORK_URL) ? new URL(NETWORK_URL).hostname : '';
  const isLocal = url === undefined || /^(?:127\.|localhost$|\[::1\])/.test(host);
  return {
    ...env,
    NETWORK_URL,
    NETWORK_ORIGIN: isLocal ? 'simulated' : host.replace(/[^A-Za-z0-9._:-]/g, '-'),
    ...(sources !== undefined && { NETWORK_SOURCES_FILE: sources }),
    BUS_URL: 'memory:',
    DATABASE_URL: 'sqlite::memory:',
  };
}
