import { preferenceOf } from './preferences.ts';

/** Colors of the chosen theme: styles, and the browser's own bars. */
export function applyTheme(theme = preferenceOf('theme')): void {
  const { dataset } = document.documentElement;
  if (theme === 'system') delete dataset['theme'];
  else dataset['theme'] = theme;
  for (const meta of document.querySelectorAll<HTMLMetaElement>('meta[name="theme-color"]')) {
    const own = (meta.dataset['scheme'] ??= /dark/.exec(meta.media)?.[0] ?? 'light');
    meta.media = theme === 'system' ? `(prefers-color-scheme: ${own})` : theme === own ? 'all' : 'not all';
  }
}

/** Whether the page is dark now, by choice or by the system. */
export function isDark(): boolean {
  const theme = preferenceOf('theme');
  return theme === 'system' ? matchMedia('(prefers-color-scheme: dark)').matches : theme === 'dark';
}

/** Runs a function after each change of the colors. */
export function onThemeChange(act: () => void): void {
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', act);
  document.addEventListener('theme', act);
}
