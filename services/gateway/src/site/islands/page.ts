import { showCountdowns } from './countdown.ts';
import { followChanges } from './live.ts';
import { showTimes, toggleTime } from './local-time.ts';
import { rotateHeatMap } from './heat-map-zone.ts';
import { followSession, prepareSignIn } from './session-presence.ts';
import { bindSettings } from './settings.ts';
import { updatePage } from './update-page.ts';

const main = document.querySelector('main') ?? document.body;

/** Time between updates of how long ago something was, in milliseconds. */
const RELATIVE_TIMES_MS = 30_000;

/** Shows content in the chosen time. */
function localize(content: ParentNode): void {
  showTimes(content);
  rotateHeatMap(content);
}

/** Improves the content: at first, and after each update. */
async function enhance(): Promise<void> {
  localize(main);
  showCountdowns(main);
  await followSession(main, showTimes);
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
bindSettings(() => {
  // From the page as it was sent: what is shown has been changed already.
  void updatePage(main, localize).then(enhance, () => location.reload());
});
document.addEventListener('click', toggleTime);
setInterval(() => showTimes(main), RELATIVE_TIMES_MS);
await enhance();
followChanges(main, localize, enhance);
document.documentElement.dataset['script'] = 'ready';
