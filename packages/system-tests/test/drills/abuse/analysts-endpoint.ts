import { randomUUID } from 'node:crypto';
import type { StackStage } from '../stages/stack-stage.ts';

/** URL of the analyst proxy and a token for it. */
export interface AnalystsEndpoint {
  readonly url: string;
  readonly token: string;
}

/** Creates a token that is revoked when `resources` is disposed. */
export async function analystsEndpoint(
  { compose, settings }: Pick<StackStage, 'compose' | 'settings'>,
  resources: AsyncDisposableStack,
): Promise<AnalystsEndpoint> {
  const name = `drill-${randomUUID().slice(0, 8)}`;
  const token = await compose('run', '--rm', '-T', 'analyst-token', '--name', name);
  resources.defer(async () => {
    await compose('run', '--rm', '-T', 'analyst-token', '--revoke', name);
  });
  return { url: `http://127.0.0.1:${settings['ANALYSTS_LOCAL_PORT']}`, token };
}
