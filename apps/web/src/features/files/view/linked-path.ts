/**
 * Where a relative link of a file leads, as the files' address has it: a file, or with a slash at its end a folder; ''
 * is the top.
 */
type LinkedPath = { path: string; anchor: string };

/**
 * What a link in the file `from` names. A slash at its beginning stands for the top of the project, as on the pages of
 * git hosts. Null for what is outside of the project or cannot be decoded.
 */
export function linkedPath(from: string, href: string): LinkedPath | null {
  const [, written = '', anchor = ''] = /^([^?#]*)(?:\?[^#]*)?(?:#(.*))?$/s.exec(href) ?? [];
  const target = decodedPath(written);
  if (target === null) return null;
  if (target === '') return { path: from, anchor };
  const names = target.startsWith('/') ? [] : from.split('/').slice(0, -1);
  for (const name of target.split('/')) {
    if (name === '' || name === '.') continue;
    if (name !== '..') names.push(name);
    else if (names.pop() === undefined) return null;
  }
  const isFolder = /(^|\/)\.{0,2}$/.test(target) && names.length > 0;
  return { path: names.join('/') + (isFolder ? '/' : ''), anchor };
}

function decodedPath(written: string): string | null {
  try {
    const path = decodeURIComponent(written);
    return path.includes('\0') ? null : path;
  } catch {
    return null;
  }
}
