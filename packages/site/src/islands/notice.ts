/** Shows a notice above the content, or none. It stays out of the content, which is replaced by updates. */
export function setNotice(text: string): void {
  const shown = document.getElementById('notice');
  if (shown === null || shown.textContent === text) return;
  shown.textContent = text;
  shown.hidden = text === '';
}
