/** A node of a Markdown document, as far as it is looked at here. */
interface Node {
  type: string;
  value?: string;
  url?: string;
  children?: Node[];
}

/** `src/a.ts:42`, `src/a.ts:42:7`, `/workspace/src/a.ts`: nothing else is in the code. */
const WHOLE =
  /^((?:\/|\.\/)?(?:[^\s/:*?"<>|`]+\/)*[^\s/:*?"<>|`]+\.[A-Za-z][A-Za-z0-9]{0,9})(?::(\d{1,7})(?:[:-]\d+)*)?$/;
/** In a sentence only with a line: without one it may be anything. */
const WITHIN =
  /(?<![\w./@:-])((?:\/|\.\/)?(?:[\w@.+-]+\/)*[\w@+-][\w@.+-]*\.[A-Za-z][A-Za-z0-9]{0,9}):(\d{1,7})(?::\d+)?(?![\w/:])/g;

/** Turns the paths that a text mentions into relative links, with the line as their anchor (`src/a.ts#L42`). */
export function linkMentions() {
  return (tree: Node): void => visit(tree);
}

function visit(node: Node): void {
  if (node.type === 'link' || node.children === undefined) return;
  node.children = node.children.flatMap((child) => {
    if (child.type === 'inlineCode') return linkedCode(child);
    if (child.type === 'text') return linkedText(child.value ?? '');
    visit(child);
    return [child];
  });
}

function linkedCode(code: Node): Node[] {
  const [, path, line] = WHOLE.exec(code.value ?? '') ?? [];
  return path === undefined ? [code] : [linkTo(path, line, code)];
}

function linkedText(text: string): Node[] {
  const parts: Node[] = [];
  let end = 0;
  for (const { index, 0: found, 1: path = '', 2: line } of text.matchAll(WITHIN)) {
    if (index > end) parts.push({ type: 'text', value: text.slice(end, index) });
    parts.push(linkTo(path, line, { type: 'text', value: found }));
    end = index + found.length;
  }
  if (end < text.length || parts.length === 0) parts.push({ type: 'text', value: text.slice(end) });
  return parts;
}

function linkTo(path: string, line: string | undefined, shown: Node): Node {
  const url = encodeURI(path).replace(/[?#]/g, encodeURIComponent) + (line === undefined ? '' : `#L${line}`);
  return { type: 'link', url, children: [shown] };
}
