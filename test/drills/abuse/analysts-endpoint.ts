import { randomUUID } from 'node:crypto';
import type { StackStage } from '../stages/stack-stage.ts';

/** The analysts' endpoint of a stack, and a token of its own to ask there. */
export interface AnalystsEndpoint {
  readonly url: string;
  readonly token: string;
}

/** Makes a token, which is revoked when the stack of resources is disposed. */
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
