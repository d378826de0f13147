import { serveTasks } from '@lobbystats/service-kit/serve-tasks';
import { runTask } from './run-task.node.ts';

serveTasks(runTask);
