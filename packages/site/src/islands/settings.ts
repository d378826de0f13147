import { keepPreference, preferenceOf, preferenceOfKey, type Choice, type Preference } from './preferences.ts';
import { applyTheme } from './theme.ts';

/** The choices in the footer. @param onTimes shows the page in the chosen time */
export function bindSettings(onTimes: () => void): void {
  for (const button of document.querySelectorAll<HTMLButtonElement>('button[data-choice]')) {
    button.addEventListener('click', () => {
      const [name, choice] = (button.dataset['choice'] ?? '').split(':') as [Preference, never];
      keepPreference(name, choice);
      markChoices();
      show(name, onTimes);
    });
  }
  // Choices of another tab.
  addEventListener('storage', ({ key }) => {
    const name = preferenceOfKey(key);
    if (name === undefined) return;
    markChoices();
    show(name, onTimes);
  });
  markChoices();
}

function show(name: Preference, onTimes: () => void): void {
  if (name === 'times') onTimes();
  else {
    applyTheme();
    document.dispatchEvent(new Event('theme'));
  }
}

function markChoices(): void {
  for (const button of document.querySelectorAll<HTMLButtonElement>('button[data-choice]')) {
    const [name, choice] = (button.dataset['choice'] ?? '').split(':') as [Preference, Choice<Preference>];
    button.ariaPressed = String(preferenceOf(name) === choice);
  }
}
