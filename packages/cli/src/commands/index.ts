import type { AddCommand } from '../cli-command.ts';
import { addAnalystToken } from './analyst-token.ts';
import { addBackup } from './backup.ts';
import { addDlq } from './dlq.ts';
import { addDoctor } from './doctor.ts';
import { addInit } from './init.ts';
import { addMigrate } from './migrate.ts';
import { addModerate } from './moderate.ts';
import { addProvision } from './provision.ts';
import { addReplay } from './replay.ts';
import { addRestore } from './restore.ts';
import { addSimulator } from './simulator.ts';

/** All commands, in the order of the help. */
export const commands: readonly AddCommand[] = [
  addInit,
  addProvision,
  addDoctor,
  addBackup,
  addRestore,
  addMigrate,
  addModerate,
  addDlq,
  addAnalystToken,
  addReplay,
  addSimulator,
];
