/** Answers each command of the process that started this one. Whatever is thrown is told, and ends nothing. */
export function doAsTold(work: (command: unknown) => unknown): void {
  process.on('message', (command: unknown) => {
    void answer(work, command);
  });
  process.on('disconnect', () => process.exit());
}

async function answer(work: (command: unknown) => unknown, command: unknown): Promise<void> {
  try {
    process.send?.({ result: await work(command) });
  } catch (error) {
    process.send?.({ fault: error instanceof Error ? (error.stack ?? error.message) : String(error) });
  }
}
