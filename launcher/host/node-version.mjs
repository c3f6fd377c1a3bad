/** Node's own `require` of ES modules, which the built programs rest on, is unflagged from here on. */
const OLDEST = { major: 20, minor: 19 };

/**
 * A sentence when this Node is too old, else null. Written so that old versions can still parse it.
 * @param {string} version
 */
export function complainAboutNode(version) {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const fits = major > OLDEST.major || (major === OLDEST.major && minor >= OLDEST.minor);
  return fits
    ? null
    : 'Chirality needs Node.js ' +
        `${OLDEST.major}.${OLDEST.minor}` +
        ' or newer; this is ' +
        version +
        '. Install a newer one from https://nodejs.org and start again.';
}
