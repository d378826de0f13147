import { UPDATE_TIMING } from '../update-timing.ts';

/** Key of `browser-follows.ts`, which most readers never load. */
const FOLLOWS_KEY = 'lobbystats-follows';

/** Notifies of what this browser follows. Its script is loaded when something is followed. */
export async function watchFollows(main: HTMLElement): Promise<void> {
  const tryToWatch = () => watch(main).catch(() => undefined);
  // `follows-changed`: by this tab.
  for (const event of ['storage', 'follows-changed']) addEventListener(event, () => void tryToWatch());
  await tryToWatch();
}

async function watch(main: HTMLElement): Promise<void> {
  if (!isFollowing()) return;
  const { notifyOfFollows } = await import('./follow-news.ts');
  notifyOfFollows(main, UPDATE_TIMING);
}

/** The button of a reader without a session. Its script is loaded when it is used, or something is followed. */
export async function prepareFollow(element: HTMLElement): Promise<void> {
  const load = async () => {
    const { showFollowInBrowser } = await import('./follow-in-browser.ts');
    await showFollowInBrowser(element);
  };
  const [link, button] = [element.querySelector<HTMLElement>('a.button'), element.querySelector('button')];
  if (link === null || button === null) return;
  if (isFollowing()) return load();
  // Prepared before.
  if (link.hidden) return;
  link.hidden = true;
  button.hidden = false;
  let isLoading = false;
  button.addEventListener('click', () => {
    if (button.dataset['bound'] !== undefined || isLoading) return;
    isLoading = true;
    void load()
      .then(() => {
        if (button.ariaPressed !== 'true') button.click();
      })
      .catch(() => undefined)
      .finally(() => (isLoading = false));
  });
  addEventListener('storage', ({ key }) => {
    if (key === FOLLOWS_KEY && button.dataset['bound'] === undefined) void load().catch(() => undefined);
  });
}

/** Storage may be denied. */
function isFollowing(): boolean {
  try {
    return localStorage.getItem(FOLLOWS_KEY) !== null;
  } catch {
    return false;
  }
}
