const FENCE = /^---[ \t]*$/;

/** A persona's text with one field set, or without it; everything else stays as it was written. */
export function withField(text: string, name: string, value: string | null): string {
  const lines = text.split('\n');
  const end = FENCE.test(lines[0] ?? '') ? lines.findIndex((line, at) => at > 0 && FENCE.test(line)) : -1;
  if (end === -1) return value === null ? text : ['---', `${name}: ${value}`, '---', text].join('\n');
  const at = lines.findIndex((line, index) => index > 0 && index < end && line.startsWith(`${name}:`));
  const line = value === null ? [] : [`${name}: ${value}`];
  if (at === -1) return [...lines.slice(0, end), ...line, ...lines.slice(end)].join('\n');
  return [...lines.slice(0, at), ...line, ...lines.slice(at + 1)].join('\n');
}
