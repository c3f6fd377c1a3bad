/* Runs before the first paint, so that a chosen theme and text size never flash. Keys are those of lib/appearance. */
try {
  const root = document.documentElement;
  const theme = localStorage.getItem('chirality.theme');
  if (theme === 'light' || theme === 'dark') root.dataset.theme = theme;
  const size = localStorage.getItem('chirality.text-size');
  if (size === 'small' || size === 'large') root.dataset.textSize = size;
} catch {
  /* Storage may be closed to us; the system's theme is then what is shown. */
}
