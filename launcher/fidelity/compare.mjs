/** What is stored of all runs: per scenario the order of kinds and how it ended, and over all of them the fields of each kind. */
export function gather(version, runs) {
  const kinds = new Map();
  for (const { shape } of runs)
    for (const [kind, fields] of shape.kinds)
      for (const field of fields) (kinds.get(kind) ?? kinds.set(kind, new Set()).get(kind)).add(field);
  const sorted = [...kinds].sort(([a], [b]) => (a < b ? -1 : 1)).map(([kind, fields]) => [kind, [...fields].sort()]);
  return {
    version,
    scenarios: Object.fromEntries(runs.map(({ name, shape, exit }) => [name, { order: shape.order, exit }])),
    kinds: Object.fromEntries(sorted),
  };
}

/**
 * The differences between what is stored and what was found, as lines for a person; none when they are the same. `partial`:
 * not every scenario was run, so what is missing among the fields may be in the others.
 */
export function compareShapes(stored, found, { partial = false } = {}) {
  return [
    ...compareKinds(stored.kinds, found.kinds, partial),
    ...compareScenarios(stored.scenarios, found.scenarios, partial),
  ];
}

function compareKinds(stored, found, partial) {
  const lines = [];
  for (const kind of [...new Set([...Object.keys(stored), ...Object.keys(found)])].sort()) {
    if (partial && !(kind in found)) continue;
    if (!(kind in stored)) lines.push(`+ ${kind}`, ...found[kind].map((field) => `    ${field}`));
    else if (!(kind in found)) lines.push(`- ${kind}`);
    else {
      const changes = changedLines(stored[kind], found[kind]).filter((line) => !partial || line.startsWith('+'));
      if (changes.length > 0) lines.push(`  ${kind}`, ...changes.map((line) => `    ${line}`));
    }
  }
  return lines;
}

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

const exitText = ({ code, signal }) => (signal === null ? `ends with ${code}` : `ended by ${signal}`);

function changedLines(before, now) {
  return [
    ...before.filter((field) => !now.includes(field)).map((field) => `- ${field}`),
    ...now.filter((field) => !before.includes(field)).map((field) => `+ ${field}`),
  ];
}

/** The shortest edit from one order to the other, with one line of what is common around each change. */
function sequenceDiff(before, now) {
  const common = Array.from({ length: before.length + 1 }, () => new Array(now.length + 1).fill(0));
  for (let i = before.length - 1; i >= 0; i -= 1)
    for (let j = now.length - 1; j >= 0; j -= 1)
      common[i][j] = before[i] === now[j] ? common[i + 1][j + 1] + 1 : Math.max(common[i + 1][j], common[i][j + 1]);
  const all = [];
  for (let i = 0, j = 0; i < before.length || j < now.length;) {
    if (i < before.length && j < now.length && before[i] === now[j]) {
      all.push(`  ${before[i]}`);
      i += 1;
      j += 1;
    } else if (j >= now.length || (i < before.length && common[i + 1][j] >= common[i][j + 1]))
      all.push(`- ${before[i++]}`);
    else all.push(`+ ${now[j++]}`);
  }
  return all.filter((line, index) =>
    [all[index - 1], line, all[index + 1]].some((one) => one !== undefined && !one.startsWith('  ')),
  );
}
