import { serveTasks } from '@lobbystats/service-kit/serve-tasks';
import { renderSvg } from './render-svg.node.ts';

serveTasks(renderSvg);
