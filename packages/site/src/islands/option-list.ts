import { linkedGame, links } from '../links.ts';

/** A name, or a page that one can open. */
export interface Option {
  readonly text: string;
  /** Tells apart options with equal texts. */
  readonly note: string;
  readonly href: string;
}

/** The popup of a combobox. */
export interface OptionList {
  readonly isOpen: boolean;
  /** The option that the keyboard has chosen. */
  readonly active: Option | undefined;
  /** The only option that is the text, but for case and outer spaces. */
  readonly exact: (text: string) => Option | undefined;
  /** @param isAnnounced whether screen readers hear how many there are */
  readonly show: (options: readonly Option[], isAnnounced: boolean) => void;
  readonly close: () => void;
  /** Chooses the next or previous option; past the ends none, then the other end. */
  readonly move: (step: 1 | -1) => void;
}

/** Adds a listbox and a status beside a field. They lie over the page: nothing moves. @param choose called by a click */
export function createOptionList(input: HTMLInputElement, choose: (option: Option) => void): OptionList {
  const list = document.createElement('ul');
  list.id = `${input.id}-list`;
  list.className = 'suggestions';
  list.role = 'listbox';
  list.ariaLabel = 'Suggestions';
  list.hidden = true;
  const status = document.createElement('p');
  status.className = 'hidden';
  status.role = 'status';
  const island = document.createElement('div');
  island.dataset['island'] = '';
  island.append(list, status);
  // The texts of the list are no part of the field's label.
  input.ariaLabel = input.labels?.[0]?.textContent.trim() ?? null;
  input.after(island);
  input.role = 'combobox';
  input.ariaAutoComplete = 'list';
  input.ariaExpanded = 'false';
  input.setAttribute('aria-controls', list.id);

  let options: readonly Option[] = [];
  let activeIndex = -1;
  const activate = (index: number) => {
    activeIndex = index;
    for (const [at, element] of Array.from(list.children).entries()) element.ariaSelected = String(at === index);
    const element = list.children[index];
    if (element === undefined) input.removeAttribute('aria-activedescendant');
    else input.setAttribute('aria-activedescendant', element.id);
    element?.scrollIntoView({ block: 'nearest' });
  };
  const show = (shown: readonly Option[], isAnnounced: boolean) => {
    options = shown;
    list.replaceChildren(...shown.map((option, index) => optionElement(option, `${list.id}-${index}`, choose)));
    list.hidden = shown.length === 0;
    input.ariaExpanded = String(shown.length > 0);
    status.textContent = isAnnounced ? countText(shown.length) : '';
    activate(-1);
  };
  // The field keeps the focus.
  list.addEventListener('mousedown', (event) => event.preventDefault());
  return {
    get isOpen() {
      return !list.hidden;
    },
    get active() {
      return options[activeIndex];
    },
    exact: (text) => {
      const same = options.filter((option) => option.text.toLowerCase() === text.trim().toLowerCase());
      return same.length === 1 ? same[0] : undefined;
    },
    show,
    close: () => show([], false),
    move: (step) => {
      const positions = options.length + 1;
      activate(((activeIndex + 1 + step + positions) % positions) - 1);
    },
  };
}

function countText(count: number): string {
  return count === 0 ? 'No suggestions' : `${count} ${count === 1 ? 'suggestion' : 'suggestions'}`;
}

function iconOf({ href }: Option): HTMLElement[] {
  const titleId = linkedGame(href);
  if (titleId === undefined) return [];
  const icon = new Image(20, 20);
  icon.className = 'icon';
  icon.alt = '';
  icon.src = links.icon(titleId);
  return [icon];
}

/** Texts are set as text, never as markup. */
function optionElement(option: Option, id: string, choose: (option: Option) => void): HTMLElement {
  const { text, note } = option;
  const element = document.createElement('li');
  element.id = id;
  element.role = 'option';
  element.ariaSelected = 'false';
  const name = document.createElement('bdi');
  name.textContent = text;
  const hint = document.createElement('bdi');
  hint.className = 'hint';
  hint.textContent = note;
  element.append(...iconOf(option), name, ' ', hint);
  element.addEventListener('click', () => choose(option));
  return element;
}
