import { showCountdowns } from './countdown.ts';
import { followChanges } from './live.ts';
import { showLocalTimes } from './local-time.ts';
import { followSession, prepareSignIn } from './session-presence.ts';

const main = document.querySelector('main') ?? document.body;

/** Improves the content: at first, and after each update. */
async function enhance(): Promise<void> {
  showLocalTimes(main);
  showCountdowns(main);
  await followSession(main, showLocalTimes);
  if (main.querySelector('[data-plot]') !== null) {
    const { drawPlots } = await import('./plot.ts');
    drawPlots(main);
  }
  if (main.querySelector('.heat') !== null) {
    const { readHeatMap } = await import('./heat-map.ts');
    readHeatMap(main);
  }
}

/** Loads the suggestions at the first focus of a search field. */
async function prepareSuggestions(field: Element | null): Promise<void> {
  if (!(field instanceof HTMLInputElement && field.form?.dataset['suggest'] !== undefined)) return;
  const { suggestNames } = await import('./suggest.ts');
  suggestNames(field);
}

/** The key `/` goes to the search field, as on many sites, unless one writes. */
function findByKey(event: KeyboardEvent): void {
  const field = document.querySelector<HTMLInputElement>('.site [type=search]');
  const { target } = event;
  const isWriting =
    target instanceof HTMLElement && (target.isContentEditable || /INPUT|TEXTAREA|SELECT/.test(target.tagName));
  if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || isWriting || field === null) return;
  event.preventDefault();
  field.focus();
  field.select();
}

document.documentElement.dataset['script'] = 'on';
document.addEventListener('keydown', findByKey);
document.addEventListener('focusin', ({ target }) => void prepareSuggestions(target as Element));
void prepareSuggestions(document.activeElement);
prepareSignIn(enhance);
await enhance();
followChanges(main, showLocalTimes, enhance);
document.documentElement.dataset['script'] = 'ready';
