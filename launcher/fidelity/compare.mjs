/**
 * @typedef {import('../services/child.mjs').Exit} Exit
 * @typedef {{ order: string[], exit: Exit }} StoredRun
 * @typedef {{ name: string, exit: Exit, shape: import('./shape.mjs').Shape }} Run
 * @typedef {object} StoredShapes
 * @property {string} version of the program that was recorded
 * @property {Record<string, StoredRun>} scenarios
 * @property {Record<string, string[]>} kinds
 */

/**
 * What is stored of all runs: per scenario the order of kinds and how it ended, and over all of them the fields of each
 * kind.
 * @param {string} version
 * @param {Run[]} runs
 * @returns {StoredShapes}
 */
export function gather(version, runs) {
  /** @type {Map<string, Set<string>>} */
  const kinds = new Map();
  for (const { shape } of runs)
    for (const [kind, fields] of shape.kinds) kinds.set(kind, new Set([...(kinds.get(kind) ?? []), ...fields]));
  const sorted = [...kinds].sort(([a], [b]) => (a < b ? -1 : 1)).map(([kind, fields]) => [kind, [...fields].sort()]);
  return {
    version,
    scenarios: Object.fromEntries(runs.map(({ name, shape, exit }) => [name, { order: shape.order, exit }])),
    kinds: Object.fromEntries(sorted),
  };
}

/**
 * The differences between what is stored and what was found, as lines for a person; none when they are the same.
 * `partial`: not every scenario was run, so what is missing among the fields may be in the others.
 * @param {StoredShapes} stored
 * @param {StoredShapes} found
 * @param {{ partial?: boolean }} [options]
 */
export function compareShapes(stored, found, { partial = false } = {}) {
  return [
    ...compareKinds(stored.kinds, found.kinds, partial),
    ...compareScenarios(stored.scenarios, found.scenarios, partial),
  ];
}

/**
 * @param {Record<string, string[]>} stored
 * @param {Record<string, string[]>} found
 * @param {boolean} partial
 */
function compareKinds(stored, found, partial) {
  const lines = [];
  for (const kind of [...new Set([...Object.keys(stored), ...Object.keys(found)])].sort()) {
    const [before, now] = [stored[kind], found[kind]];
    if (!now) {
      if (!partial) lines.push(`- ${kind}`);
    } else if (!before) lines.push(`+ ${kind}`, ...now.map((field) => `    ${field}`));
    else {
      const changes = changedLines(before, now).filter((line) => !partial || line.startsWith('+'));
      if (changes.length > 0) lines.push(`  ${kind}`, ...changes.map((line) => `    ${line}`));
    }
  }
  return lines;
}

/**
 * @param {Record<string, StoredRun>} stored
 * @param {Record<string, StoredRun>} found
 * @param {boolean} partial
 */
function compareScenarios(stored, found, partial) {
  const lines = [];
  for (const name of [...new Set([...Object.keys(stored), ...Object.keys(found)])].sort()) {
    const [before, now] = [stored[name], found[name]];
    if (!now) {
      if (!partial) lines.push(`- scenario ${name}`);
    } else if (!before) lines.push(`+ scenario ${name}: ${now.order.join(', ')}; ${exitText(now.exit)}`);
    else {
      const changes = sequenceDiff(before.order, now.order);
      if (exitText(before.exit) !== exitText(now.exit))
        changes.push(`- ${exitText(before.exit)}`, `+ ${exitText(now.exit)}`);
      if (changes.length > 0) lines.push(`  scenario ${name}`, ...changes.map((line) => `    ${line}`));
    }
  }
  return lines;
}

/** @type {(exit: Exit) => string} */
const exitText = ({ code, signal }) => (signal === null ? `ends with ${code}` : `ended by ${signal}`);

/**
 * @param {string[]} before
 * @param {string[]} now
 */
function changedLines(before, now) {
  return [
    ...before.filter((field) => !now.includes(field)).map((field) => `- ${field}`),
    ...now.filter((field) => !before.includes(field)).map((field) => `+ ${field}`),
  ];
}

/**
 * The shortest edit from one order to the other, with one line of what is common around each change.
 * @param {string[]} before
 * @param {string[]} now
 */
function sequenceDiff(before, now) {
  const width = now.length + 1;
  /** The length of what the orders have in common from `i` and `j` on, in one row after the other. */
  const common = new Uint32Array((before.length + 1) * width);
  const commonFrom = (/** @type {number} */ i, /** @type {number} */ j) => common[i * width + j] ?? 0;
  for (let i = before.length - 1; i >= 0; i -= 1)
    for (let j = now.length - 1; j >= 0; j -= 1)
      common[i * width + j] =
        before[i] === now[j] ? commonFrom(i + 1, j + 1) + 1 : Math.max(commonFrom(i + 1, j), commonFrom(i, j + 1));
  /** @type {string[]} */
  const all = [];
  for (let i = 0, j = 0; i < before.length || j < now.length;) {
    if (i < before.length && j < now.length && before[i] === now[j]) {
      all.push(`  ${before[i]}`);
      i += 1;
      j += 1;
    } else if (j >= now.length || (i < before.length && commonFrom(i + 1, j) >= commonFrom(i, j + 1)))
      all.push(`- ${before[i++]}`);
    else all.push(`+ ${now[j++]}`);
  }
  return all.filter((line, index) =>
    [all[index - 1], line, all[index + 1]].some((one) => one !== undefined && !one.startsWith('  ')),
  );
}
