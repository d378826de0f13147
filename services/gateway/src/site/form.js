/** Forms submitted by script. */

/**
 * Runs a function when a form is submitted, unless the previous run is pending.
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
 * Shows results of actions: a failure interrupts a screen reader, a success does not.
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
    // Emptied first, so that a repeated failure is announced again.
    error.textContent = '';
    error.textContent = text;
    status.textContent = '';
  },
});
