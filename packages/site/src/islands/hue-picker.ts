import { find } from './form.ts';

/**
 * Shows the color of a text field's hue, and lets it be chosen by a slider.
 *
 * @returns shows the field's value again after a script has set it
 */
export function bindHuePicker(form: HTMLFormElement, field: HTMLInputElement): () => void {
  const slider = find<HTMLInputElement>(form, '.hue input');
  const preview = find(form, '.hue .preview');
  const show = () => {
    const text = field.value.trim();
    const isHue = /^\d+$/.test(text) && Number(text) <= Number(slider.max);
    if (isHue) slider.value = text;
    preview.style.background = isHue ? `hsl(${text} 50% 34%)` : '';
  };
  field.addEventListener('input', show);
  slider.addEventListener('input', () => {
    field.value = slider.value;
    show();
  });
  return show;
}
