/** How long a widget shows the same counts, in milliseconds. */
const UPDATE_MS = 300_000;

/** Shows the counts of now. A frame whose site forbids requests keeps those that it has. */
async function update(): Promise<void> {
  const response = await fetch(location.href, { cache: 'no-cache' });
  if (!response.ok) return;
  const content = new DOMParser().parseFromString(await response.text(), 'text/html').querySelector('main');
  if (content === null) return;
  const focused = document.activeElement?.getAttribute('href');
  document.querySelector('main')?.replaceChildren(...content.childNodes);
  if (focused) document.querySelector<HTMLElement>(`a[href="${CSS.escape(focused)}"]`)?.focus();
}

setInterval(() => void update().catch(() => undefined), UPDATE_MS);

// As on pages: what it does without being asked is set up.
document.documentElement.dataset['script'] = 'ready';
