import { SERVICE_WORKER } from '../service-worker-path.ts';
import { showCountdowns } from './countdown.ts';
import { watchFollows } from './follow-presence.ts';
import { followChanges } from './live.ts';
import { exactText, showTimes, toggleTime } from './local-time.ts';
import { rotateHeatMap } from './heat-map-zone.ts';
import { keepPeople } from './people-first.ts';
import { preparePlots, watchPlots } from './plot-presence.ts';
import { setNotice } from './notice.ts';
import { followSession, prepareSignIn } from './session-presence.ts';
import { bindSettings } from './settings.ts';
import { updatePage } from './update-page.ts';

const main = document.querySelector('main') ?? document.body;

/** Time between updates of how long ago something was, in milliseconds. */
const RELATIVE_TIMES_MS = 30_000;

/** Shows content in the chosen time, and a fetched one with the marks of people that the page has. */
function localize(content: ParentNode): void {
  if (content !== main) keepPeople(main, content);
  showTimes(content);
  rotateHeatMap(content);
}

/** Improves the content: at first, and after each update. A script that can't be loaded costs only its own part. */
async function enhance(): Promise<void> {
  localize(main);
  showCountdowns(main);
  await followSession(main, showTimes);
  await Promise.all([preparePlots(), prepareHeatMap()].map((part) => part.catch(reportError)));
}

async function prepareHeatMap(): Promise<void> {
  if (main.querySelector('.heat') === null) return;
  const { readHeatMap } = await import('./heat-map.ts');
  readHeatMap(main);
}

/** Loads the suggestions at the first focus of a search field. */
async function prepareSuggestions(field: Element | null): Promise<void> {
  if (!(field instanceof HTMLInputElement)) return;
  if (field.dataset['suggest'] === undefined && field.form?.dataset['suggest'] === undefined) return;
  const { suggestNames } = await import('./suggest.ts');
  suggestNames(field);
}

/** Copies the text before a button. */
async function copyText(target: Element): Promise<void> {
  const button = target.closest<HTMLElement>('[data-copy]');
  if (button === null) return;
  const { copyBefore } = await import('./copy.ts');
  await copyBefore(button);
}

const searchField = document.querySelector<HTMLInputElement>('.site [type=search]');

function goToSearch(event: Event): void {
  event.preventDefault();
  searchField?.focus();
  searchField?.select();
}

/** The keys `/`, unless one writes, and Ctrl+K go to the search field, as on many sites. */
function findByKey(event: KeyboardEvent): void {
  const { target, key, ctrlKey, metaKey, altKey } = event;
  const isWriting =
    target instanceof HTMLElement && (target.isContentEditable || /INPUT|TEXTAREA|SELECT/.test(target.tagName));
  const isSlash = key === '/' && !ctrlKey && !metaKey && !isWriting;
  const isCtrlK = key.toLowerCase() === 'k' && (ctrlKey || metaKey);
  if (altKey || !(isSlash || isCtrlK)) return;
  goToSearch(event);
}

/**
 * Says when a page is from while its site can't be reached, and loads it again then.
 *
 * @param copied time of the copy that the service worker has answered with
 */
function showOffline(copied: string | undefined): void {
  if (copied === undefined && navigator.onLine) return;
  const shownAt = Date.parse(copied ?? document.lastModified);
  setNotice(`You are offline. This is the page as of ${exactText(shownAt)}.`);
  addEventListener('online', () => location.reload());
}

/** On phones the button opens the field, which lies over the header. */
searchField?.form?.addEventListener('submit', (event) => {
  if (searchField.value.trim() === '' && document.activeElement !== searchField) goToSearch(event);
});

showOffline(document.documentElement.dataset['offline']);
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
document.addEventListener('click', ({ target }) => void copyText(target as Element));
setInterval(() => showTimes(main), RELATIVE_TIMES_MS);
await enhance();
followChanges(main, localize, enhance);
void watchFollows(main);
document.documentElement.dataset['script'] = 'ready';
// Safari has no idle callbacks.
if ('requestIdleCallback' in globalThis) requestIdleCallback(watchPlots, { timeout: 1000 });
else setTimeout(watchPlots);
// Only a secure address has them.
if ('serviceWorker' in navigator) void navigator.serviceWorker.register(SERVICE_WORKER).catch(() => undefined);
