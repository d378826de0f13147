import { createSimulator, type SimulatorOptions } from '@lobbystats/simulator';
import { serveCommands } from '../peers/serve-commands.ts';

/** Starts a simulator and resolves to its URL. Its clock is set by its control API. */
serveCommands(async (options) => (await createSimulator(options as SimulatorOptions).start()).url);
