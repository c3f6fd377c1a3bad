const FENCE = /^---[ \t]*\r?$/;
const BYTE_ORDER_MARK = '\uFEFF';

/** A persona's text with one field set, or without it; everything else stays as it was written, its line ends too. */
export function withField(text: string, name: string, value: string | null): string {
  const mark = text.startsWith(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK : '';
  const lines = text.slice(mark.length).split('\n');
  const lineEnd = lines[0]?.endsWith('\r') === true ? '\r' : '';
  const field = value === null ? [] : [`${name}: ${value}${lineEnd}`];
  const end = FENCE.test(lines[0] ?? '') ? lines.findIndex((line, at) => at > 0 && FENCE.test(line)) : -1;
  if (end === -1)
    return value === null ? text : mark + [`---${lineEnd}`, ...field, `---${lineEnd}`, ...lines].join('\n');
  const isField = (line: string) => line.startsWith(name) && /^[ \t]*:/.test(line.slice(name.length));
  const at = lines.findIndex((line, index) => index > 0 && index < end && isField(line));
  const [from, to] = at === -1 ? [end, end] : [at, at + 1];
  return mark + [...lines.slice(0, from), ...field, ...lines.slice(to)].join('\n');
}
