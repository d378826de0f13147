import { statSync } from 'node:fs';
import { readVersion } from '@lobbystats/service-kit';
import type { CollectorConfig } from './config.ts';
import type { Parse } from './sources/parsing/parsers.node.ts';
import type { Telemetry } from './telemetry/telemetry.ts';
import type { SourceForms } from './sources/descriptions/source-forms.ts';
import { readSourcesFile, sourceForms } from './sources/client/sources.node.ts';

/**
 * The forms of all sources, which `refresh` reads again when NETWORK_SOURCES_FILE has changed; a file that can't be used
 * leaves them as they are.
 *
 * @throws StartupError for a NETWORK_SOURCES_FILE that can't be used
 */
export function openForms(
  { NETWORK_URL: networkUrl, NETWORK_PUBLIC_URL: publicUrl, NETWORK_SOURCES_FILE: path }: CollectorConfig,
  parse: Parse,
  telemetry: Pick<Telemetry, 'fault'>,
): { forms: SourceForms; refresh: () => void } {
  const read = (): SourceForms => {
    const forms = sourceForms(path === undefined ? {} : readSourcesFile(path), { parse, networkUrl, publicUrl });
    return { ...forms, version: `${readVersion()} ${forms.version}` };
  };
  let stamp = stampOf(path);
  const forms = read();
  return { forms, refresh };

  function refresh(): void {
    const present = stampOf(path);
    if (present === stamp) return;
    stamp = present;
    try {
      // All that asks for sources has this object.
      Object.assign(forms, read());
    } catch (error) {
      telemetry.fault('the sources are read as before', error);
    }
  }
}

function stampOf(path: string | undefined): string {
  const file = path === undefined ? undefined : statSync(path, { throwIfNoEntry: false });
  return file === undefined ? '' : `${file.mtimeMs} ${file.size} ${file.ino}`;
}
