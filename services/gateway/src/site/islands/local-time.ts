const timeToday = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit' });
const timeOfDay = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });

/** Shows the reader's local time with each UTC time: in its tooltip, or beside it. */
export function showLocalTimes(root: ParentNode): void {
  for (const element of root.querySelectorAll<HTMLTimeElement>('time[data-local]')) {
    const instant = new Date(element.dateTime);
    if (Number.isNaN(instant.getTime())) continue;
    element.title = `${timeOfDay.format(instant)} local time`;
    if (element.dataset['local'] !== 'beside' || instant.getTimezoneOffset() === 0) continue;
    const isToday = instant.toDateString() === new Date().toDateString();
    const local = (isToday ? timeToday : timeOfDay).format(instant);
    const small = element.querySelector('small') ?? element.appendChild(document.createElement('small'));
    const text = ` (${local} local)`;
    if (small.textContent !== text) small.textContent = text;
  }
}
