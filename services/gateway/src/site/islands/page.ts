import { showCountdowns } from './countdown.ts';
import { followChanges } from './live.ts';
import { showLocalTimes } from './local-time.ts';

const main = document.querySelector('main') ?? document.body;

/** Improves the content: at first, and after each update. */
async function enhance(): Promise<void> {
  showLocalTimes(main);
  showCountdowns(main);
  if (main.querySelector('[data-plot]') !== null) {
    const { drawPlots } = await import('./plot.ts');
    drawPlots(main);
  }
}

document.documentElement.dataset['script'] = 'on';
await enhance();
followChanges(main, enhance);
document.documentElement.dataset['script'] = 'ready';
