// A classic script, run before the first paint so that a chosen theme does not flash: it can import nothing.
try {
  const theme = localStorage.getItem('lobbystats-theme');
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset['theme'] = theme;
  // Room for what only a signed-in reader is shown.
  if (localStorage.getItem('service_auth') !== null) document.documentElement.dataset['session'] = '';
} catch {
  // Storage may be denied.
}
