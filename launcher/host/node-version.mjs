/** Node's own `require` of ES modules, which the built programs rest on, is unflagged from here on. */
const LEAST = [20, 19];

/** A sentence when this Node is too old, else null. Written so that old versions can still parse it. */
export function complainAboutNode(version) {
  const parts = version.split('.').map(Number);
  const fits = parts[0] > LEAST[0] || (parts[0] === LEAST[0] && parts[1] >= LEAST[1]);
  return fits
    ? null
    : 'Chirality needs Node.js ' +
        LEAST.join('.') +
        ' or newer; this is ' +
        version +
        '. Install a newer one from https://nodejs.org and start again.';
}
