/** Copies the text of the element before a button; selects it where the browser does not let pages copy. */
export async function copyBefore(button: HTMLElement): Promise<void> {
  const element = button.previousElementSibling;
  if (element === null) return;
  try {
    await navigator.clipboard.writeText(element.textContent);
    button.textContent = 'Copied';
  } catch {
    getSelection()?.selectAllChildren(element);
    button.textContent = 'Selected';
  }
}
