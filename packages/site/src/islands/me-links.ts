import { find } from './form.ts';

interface SocialLink {
  readonly platform: string;
  readonly url: string;
  readonly label: string | null;
}

const PARTS = ['platform', 'url', 'label'] as const;

/** The links of the profile form: rows of fields, named by their number as in errors of the API. */
export function bindLinks(form: HTMLFormElement, template: HTMLTemplateElement) {
  const list = find(form, '#social-links');
  const add = find<HTMLButtonElement>(form, '.add');
  const max = Number(add.dataset['max']);
  const renumber = () => {
    for (const [index, row] of [...list.children].entries()) {
      for (const part of PARTS) partOf(row, part).name = `social_links[${index}].${part}`;
    }
    add.hidden = list.children.length >= max;
  };
  const addRow = ({ platform, url, label }: SocialLink) => {
    list.append(template.content.cloneNode(true));
    const row = list.lastElementChild as HTMLElement;
    const values = { platform, url, label: label ?? '' };
    for (const part of PARTS) partOf(row, part).value = values[part];
    find(row, '.remove').addEventListener('click', () => {
      row.remove();
      renumber();
      if (!add.hidden) add.focus();
    });
    renumber();
    return row;
  };
  add.addEventListener('click', () => partOf(addRow({ platform: '', url: '', label: null }), 'platform').focus());
  return {
    show: (links: readonly SocialLink[]) => {
      list.replaceChildren();
      for (const link of links) addRow(link);
      renumber();
    },
    read: (): SocialLink[] =>
      [...list.children].map((row) => ({
        platform: partOf(row, 'platform').value.trim(),
        url: partOf(row, 'url').value.trim(),
        label: partOf(row, 'label').value.trim() || null,
      })),
  };
}

function partOf(row: Element, part: (typeof PARTS)[number]): HTMLInputElement {
  return find<HTMLInputElement>(row, `[data-part="${part}"]`);
}
