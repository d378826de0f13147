import type { BodyOf } from '@lobbystats/client';
import { links } from '../links.ts';
import { createOptionList, type Option } from './option-list.ts';

type Suggestion = BodyOf<'suggestNames'>['suggestions'][number];

const DEBOUNCE_MS = 150;
const SHOWN = 8;
const TYPES: Readonly<Record<Suggestion['type'], string>> = {
  player: 'Player',
  game: 'Game',
  leaderboard: 'Leaderboard',
  time: 'Entries with this time',
};

const enhanced = new WeakSet<HTMLInputElement>();

/**
 * Suggests names while one types, as a combobox: https://www.w3.org/WAI/ARIA/apg/patterns/combobox/
 * It uses `fetch`: the client of the API makes this bundle 16 KB larger.
 */
export function suggestNames(input: HTMLInputElement): void {
  const path = input.form?.dataset['suggest'];
  if (path === undefined || enhanced.has(input)) return;
  enhanced.add(input);
  const list = createOptionList(input);
  let timer: ReturnType<typeof setTimeout> | undefined;
  let request = new AbortController();
  const cancel = () => {
    clearTimeout(timer);
    request.abort();
    list.close();
  };
  const update = async () => {
    const text = input.value.trim();
    request = new AbortController();
    const { signal } = request;
    const options = text === '' ? [] : await fetchOptions(path, text, signal);
    if (!signal.aborted && document.activeElement === input) list.show(options, text !== '');
  };
  // Without suggestions the form still searches.
  const updateSafely = () => void update().catch(() => list.close());
  input.addEventListener('input', () => {
    clearTimeout(timer);
    request.abort();
    timer = setTimeout(updateSafely, DEBOUNCE_MS);
  });
  input.addEventListener('blur', cancel);
  input.form?.addEventListener('submit', cancel);
  input.addEventListener('keydown', (event) => {
    if (event.isComposing || event.ctrlKey || event.metaKey) return;
    const { isOpen } = list;
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      if (!isOpen) updateSafely();
      else list.move(event.key === 'ArrowDown' ? 1 : -1);
    } else if (event.key === 'Escape' && isOpen) {
      // The field keeps its text: a second Escape clears it, as browsers do.
      event.preventDefault();
      cancel();
    } else if (event.key === 'Enter') {
      const chosen = list.active ?? list.exact(input.value);
      if (chosen === undefined) return;
      event.preventDefault();
      location.assign(chosen.href);
    }
  });
  if (input.value !== input.defaultValue) updateSafely();
}

async function fetchOptions(path: string, text: string, signal: AbortSignal): Promise<Option[]> {
  const query = new URLSearchParams({ q: text, limit: String(SHOWN) });
  const response = await fetch(`${path}?${query.toString()}`, { signal });
  if (!response.ok) throw new Error(`status ${response.status}`);
  const { suggestions } = (await response.json()) as BodyOf<'suggestNames'>;
  return suggestions.map(optionOf);
}

function optionOf({ type, name, titleId, gameName, leaderboardId }: Suggestion): Option {
  if (type === 'time') return { text: name, note: TYPES[type], href: links.search({ by: 'time', time: name }) };
  if (titleId === null) return { text: name, note: TYPES[type], href: links.player(name) };
  if (leaderboardId === null) return { text: name, note: TYPES[type], href: links.game(titleId) };
  return { text: name, note: gameName ?? TYPES[type], href: links.leaderboard(titleId, leaderboardId) };
}
