/** Forms that send themselves by script. */

/**
 * Does something when a form is submitted, unless that is still under way.
 * @param {HTMLElement} form
 * @param {() => Promise<void>} act never rejects
 */
export function onSubmit(form, act) {
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    // Its button stays enabled: a disabled one would lose the focus.
    if (form.ariaBusy === 'true') return;
    form.ariaBusy = 'true';
    await act();
    form.ariaBusy = 'false';
  });
}

/**
 * Where a part of the page says how things went: a failure interrupts a screen reader, a success waits its turn.
 * @param {HTMLElement} error
 * @param {HTMLElement} status
 */
export const createNotice = (error, status) => ({
  /** @param {string} text */
  say(text) {
    error.textContent = '';
    status.textContent = text;
  },
  /** @param {string} text */
  warn(text) {
    // Emptied first: the same failure once more is news once more.
    error.textContent = '';
    error.textContent = text;
    status.textContent = '';
  },
});
