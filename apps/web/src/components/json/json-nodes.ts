/** A value of JSON in a tree, as one line. */
export type JsonNode = {
  /** Where it stands: a JSON pointer. */
  path: string;
  /** How it is called there; null at the top. */
  name: string | null;
  level: number;
  value: unknown;
  /** Null where nothing is below it. */
  isOpen: boolean | null;
  /** So many of what is below are not shown. */
  hidden: number;
};

/** Of a list or object so many members are shown before the user asks for the others. */
const MAX_SHOWN = 100;

/** How deep a tree is unfolded before the user unfolds more. */
const OPEN_LEVELS = 2;

/** What the user unfolded or folded, and where all members are wanted, by path. */
export type JsonChoices = { isOpen: ReadonlyMap<string, boolean>; shown: ReadonlySet<string> };

/** The lines of a tree that are to be seen, from the top. */
export function jsonNodes(value: unknown, choices: JsonChoices): JsonNode[] {
  const nodes: JsonNode[] = [];
  const add = (path: string, name: string | null, level: number, inner: unknown) => {
    const members = membersOf(inner);
    const isOpen = members.length === 0 ? null : (choices.isOpen.get(path) ?? level <= OPEN_LEVELS);
    const count = choices.shown.has(path) ? members.length : MAX_SHOWN;
    nodes.push({ path, name, level, value: inner, isOpen, hidden: isOpen ? Math.max(0, members.length - count) : 0 });
    if (isOpen)
      for (const [key, member] of members.slice(0, count)) add(`${path}/${escaped(key)}`, key, level + 1, member);
  };
  add('', null, 1, value);
  return nodes;
}

/** A short text for a value that is folded, or has nothing below it. */
export function jsonSummary(value: unknown): string {
  const { length } = membersOf(value);
  if (Array.isArray(value)) return length === 0 ? '[]' : `[ ${length} ]`;
  if (typeof value === 'object' && value !== null) return length === 0 ? '{}' : `{ ${length} }`;
  return JSON.stringify(value) ?? 'null';
}

function membersOf(value: unknown): [string, unknown][] {
  return typeof value === 'object' && value !== null ? Object.entries(value) : [];
}

function escaped(key: string): string {
  return key.replaceAll('~', '~0').replaceAll('/', '~1');
}

/** The line that a key leads to from the one at `at`, or what it does to it; null where it does nothing. */
export function jsonMove(
  nodes: readonly JsonNode[],
  at: number,
  key: string,
): { focus: number } | { open: boolean } | null {
  const node = nodes[at];
  if (!node) return null;
  switch (key) {
    case 'ArrowDown':
      return at + 1 < nodes.length ? { focus: at + 1 } : null;
    case 'ArrowUp':
      return at > 0 ? { focus: at - 1 } : null;
    case 'Home':
      return { focus: 0 };
    case 'End':
      return { focus: nodes.length - 1 };
    case 'ArrowRight':
      if (node.isOpen === false) return { open: true };
      return node.isOpen ? { focus: at + 1 } : null;
    case 'ArrowLeft': {
      if (node.isOpen) return { open: false };
      const parent = nodes.slice(0, at).findLastIndex(({ level }) => level < node.level);
      return parent === -1 ? null : { focus: parent };
    }
    case 'Enter':
    case ' ':
      return node.isOpen === null ? null : { open: !node.isOpen };
    default:
      return null;
  }
}
