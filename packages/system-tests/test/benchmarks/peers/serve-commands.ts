/** Handles commands of the parent process. Errors are sent back. */
export function serveCommands(work: (command: unknown) => unknown): void {
  process.on('message', (command: unknown) => {
    void respond(work, command);
  });
  process.on('disconnect', () => process.exit());
}

async function respond(work: (command: unknown) => unknown, command: unknown): Promise<void> {
  try {
    process.send?.({ result: await work(command) });
  } catch (error) {
    process.send?.({ fault: error instanceof Error ? (error.stack ?? error.message) : String(error) });
  }
}
