import { startProgram } from './own-process.ts';

/** Starts a turnstile by itself on the server's core, with its settings' defaults; gives its port. It ends with the stack. */
export async function startTurnstile(influxUrl: string, stack: AsyncDisposableStack): Promise<number> {
  return (await startProgram('turnstile-main.ts', 'server', stack).ask(influxUrl)) as number;
}
