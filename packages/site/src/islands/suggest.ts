import type { BodyOf } from '@lobbystats/client';
import { links } from '../links.ts';
import { createOptionList, type Option } from './option-list.ts';
import { forgetSearches, keepSearch, recentSearches, type RecentSearch } from './recent-searches.ts';

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
 * In a search field a choice opens the page of the name; other fields take the name, and send a form of single names.
 * It uses `fetch`: the client of the API makes this bundle 16 KB larger.
 */
export function suggestNames(input: HTMLInputElement): void {
  const path = input.dataset['suggest'] ?? input.form?.dataset['suggest'];
  if (path === undefined || enhanced.has(input)) return;
  enhanced.add(input);
  const isFilled = input.dataset['suggest'] !== undefined;
  const isList = input.dataset['list'] !== undefined;
  const type = new URL(path, location.href).searchParams.get('type');
  const choose = (option: Option) => {
    if (option.href === FORGET.href) forgetSearches();
    else keepSearch(option as RecentSearch);
    if (option.href === FORGET.href) list.close();
    else if (isFilled) {
      fill(option);
      if (!isList) input.form?.requestSubmit();
    } else location.assign(option.href);
  };
  const fill = ({ text }: Option) => {
    const before = isList ? input.value.replace(/[^,]*$/, '') : '';
    input.value = before.trim() + (before === '' ? '' : ' ') + text + (isList ? ', ' : '');
    list.close();
  };
  const asked = () => (isList ? (input.value.split(',').at(-1) ?? '') : input.value).trim();
  const list = createOptionList(input, choose);
  let timer: ReturnType<typeof setTimeout> | undefined;
  let request = new AbortController();
  const cancel = () => {
    clearTimeout(timer);
    request.abort();
    list.close();
  };
  const update = async () => {
    const text = asked();
    request = new AbortController();
    const { signal } = request;
    const options = text === '' ? recentOptions(type) : await fetchOptions(path, text, signal);
    if (!signal.aborted && document.activeElement === input) list.show(options, text !== '');
  };
  // Without suggestions the form still searches.
  const updateSafely = () => void update().catch(() => list.close());
  input.addEventListener('input', () => {
    clearTimeout(timer);
    request.abort();
    timer = setTimeout(updateSafely, DEBOUNCE_MS);
  });
  input.addEventListener('focus', () => {
    if (asked() === '') updateSafely();
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
      const chosen = list.active ?? (isFilled ? undefined : list.exact(input.value));
      if (chosen === undefined) return;
      event.preventDefault();
      choose(chosen);
    }
  });
  if (input.value !== input.defaultValue || asked() === '') updateSafely();
}

async function fetchOptions(path: string, text: string, signal: AbortSignal): Promise<Option[]> {
  const url = new URL(path, location.href);
  url.searchParams.set('q', text);
  url.searchParams.set('limit', String(SHOWN));
  const response = await fetch(url, { signal });
  if (!response.ok) throw new Error(`status ${response.status}`);
  const { suggestions } = (await response.json()) as BodyOf<'suggestNames'>;
  return suggestions.map(optionOf);
}

/** Earlier choices, and a way to forget them. @param type null: of all types */
function recentOptions(type: string | null): readonly Option[] {
  const recent = recentSearches().filter((search) => type === null || search.type === type);
  return recent.length === 0 ? [] : [...recent.slice(0, SHOWN), FORGET];
}

const FORGET: Option = { text: 'Forget recent searches', note: '', href: '' };

function optionOf({ type, name, titleId, gameName, leaderboardId }: Suggestion): RecentSearch {
  const about = { type, text: name, note: TYPES[type] };
  if (type === 'time') return { ...about, href: links.search({ by: 'time', time: name }) };
  if (titleId === null) return { ...about, href: links.player(name) };
  if (leaderboardId === null) return { ...about, href: links.game(titleId) };
  return { ...about, note: gameName ?? TYPES[type], href: links.leaderboard(titleId, leaderboardId) };
}
