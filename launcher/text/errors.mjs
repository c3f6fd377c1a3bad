/**
 * A text that an error carries, such as its `code` or `message`; undefined where it has none, as values have that are
 * no errors. Asks for no class: in tests the errors of Node come from another realm.
 * @param {unknown} error
 * @param {string} field
 * @returns {string | undefined}
 */
export function textIn(error, field) {
  if (typeof error !== 'object' || error === null) return undefined;
  const value = Reflect.get(error, field);
  return typeof value === 'string' ? value : undefined;
}

/**
 * The code of a system error: `ENOENT`.
 * @param {unknown} error
 */
export function codeOf(error) {
  return textIn(error, 'code');
}

/**
 * The words of an error, also of a thrown value that is none.
 * @param {unknown} error
 */
export function messageOf(error) {
  return textIn(error, 'message') ?? String(error);
}
