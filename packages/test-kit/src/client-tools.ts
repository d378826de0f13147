import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** Programs that generate and run clients of the API. `npm run tools:clients` installs them. */
export interface ClientTools {
  /** Node by major version. */
  readonly node: Readonly<Record<'20' | '22', string>>;
  /** Python with openapi-python-client. */
  readonly python: string;
  /** oapi-codegen. */
  readonly oapiCodegen: string;
}

export const CLIENT_TOOLS_DIRECTORY = join(import.meta.dirname, '../../../node_modules/.cache/client-tools');

export const clientTools: ClientTools = {
  node: { '20': nodeOf('20'), '22': nodeOf('22') },
  python: join(CLIENT_TOOLS_DIRECTORY, 'python/bin/python'),
  oapiCodegen: join(CLIENT_TOOLS_DIRECTORY, 'go/oapi-codegen'),
};

/** Whether all of them are installed. */
export function hasClientTools(exists: (path: string) => boolean = existsSync): boolean {
  const { node, python, oapiCodegen } = clientTools;
  return [...Object.values(node), python, oapiCodegen].every(exists);
}

function nodeOf(major: string): string {
  return join(CLIENT_TOOLS_DIRECTORY, `node-${major}/node_modules/node/bin/node`);
}
