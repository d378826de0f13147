/** Forms that are submitted by script. */

import type { Session } from './island.ts';

export interface Notice {
  show(text: string): void;
  warn(text: string): void;
}

/** The first match, which the page has. */
// Callers name the type of the element, which only the selector implies.
// eslint-disable-next-line @typescript-eslint/no-unnecessary-type-parameters
export function find<Found extends HTMLElement = HTMLElement>(root: ParentNode, selector: string): Found {
  const found = root.querySelector<Found>(selector);
  if (found === null) throw new Error(`the page has no ${selector}`);
  return found;
}

/** A copy of the list item of a template. */
export function itemOf(root: ParentNode, template: string): HTMLElement {
  const { content } = find<HTMLTemplateElement>(root, template);
  return find(content.cloneNode(true) as DocumentFragment, 'li');
}

/** Sets the texts of the slots of an element. */
export function fill(root: ParentNode, texts: Readonly<Record<string, string>>): void {
  for (const [slot, text] of Object.entries(texts)) find(root, `[data-slot="${slot}"]`).textContent = text;
}

/** Sets the time of a slot, in the reader's zone. @param timestamp as in responses, UTC */
export function fillTime(root: ParentNode, slot: string, timestamp: string, { showTimes }: Session): void {
  find<HTMLTimeElement>(root, `[data-slot="${slot}"]`).dateTime = `${timestamp.replace(' ', 'T')}Z`;
  showTimes(root);
}

/** Runs a function when a form is submitted, unless the previous run is pending. @param act never rejects */
export function onSubmit(form: HTMLFormElement, act: () => Promise<void>): void {
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    void once(form, act);
  });
}

/** Runs a function when a button is clicked, unless the previous run is pending. @param act never rejects */
export function onClick(button: HTMLElement, act: () => Promise<void>): void {
  button.addEventListener('click', () => void once(button, act));
}

/** A disabled control would lose the focus. */
async function once(control: HTMLElement, act: () => Promise<void>): Promise<void> {
  if (control.ariaBusy === 'true') return;
  control.ariaBusy = 'true';
  await act();
  control.ariaBusy = 'false';
}

/** The notice of an element: a child of it. */
export function noticeOf(element: HTMLElement): Notice {
  const [alert, status] = [':scope > .notice > [role="alert"]', ':scope > .notice > [role="status"]'].map((selector) =>
    find(element, selector),
  ) as [HTMLElement, HTMLElement];
  return {
    show: (text) => {
      alert.textContent = '';
      status.textContent = text;
    },
    warn: (text) => {
      // Emptied first, so that a repeated failure is announced again.
      alert.textContent = '';
      alert.textContent = text;
      status.textContent = '';
    },
  };
}

export function clearFieldErrors(form: HTMLFormElement): void {
  for (const trouble of form.querySelectorAll('[data-field] .trouble, .link .trouble')) trouble.textContent = '';
  for (const control of form.querySelectorAll('[aria-invalid]')) control.removeAttribute('aria-invalid');
}

/**
 * Shows an error beside its field, and focuses it.
 *
 * @param name as the API names it, such as `social_links[0].url`
 * @returns false if the form has no such field
 */
export function showFieldError(form: HTMLFormElement, name: string, message: string): boolean {
  const controls = [...form.querySelectorAll<HTMLInputElement>('input, textarea')];
  const control = controls.find((one) => one.name === name);
  const group = [...form.querySelectorAll<HTMLElement>('[data-field]')].find((one) => one.dataset['field'] === name);
  const trouble = (control?.closest('.link, [data-field]') ?? group)?.querySelector('.trouble');
  if (trouble === null || trouble === undefined) return false;
  trouble.textContent = message.charAt(0).toUpperCase() + message.slice(1);
  control?.setAttribute('aria-invalid', 'true');
  (control ?? group?.querySelector<HTMLElement>('button, input'))?.focus();
  return true;
}
