const MAX_TITLE_CHARS = 40;
const MAX_NAME_CHARS = 200;
const ID_CHARS = 8;

/**
 * The branch that a pattern names for a session: `{title}` becomes its title in lower case with hyphens (letters and
 * digits of any script stay), `{id}` the end of its id, which makes the name unique. What git takes in no name of a
 * branch is left out, so that the answer always is one.
 */
export function branchNameOf(pattern: string, session: { title: string; id: string }): string {
  const title = slugOf(session.title) || 'session';
  const id = session.id.slice(-ID_CHARS).toLowerCase();
  const name = cleaned(pattern.replaceAll('{title}', title).replaceAll('{id}', id));
  return isBranchNameSafe(name) ? name : `chirality/${id}`;
}

/** A clause about what is wrong with a pattern; null when nothing is. */
export function whyNoBranchPattern(pattern: string): string | null {
  const example = pattern.replaceAll('{title}', 'title').replaceAll('{id}', 'id');
  if (/[{}]/.test(example)) return 'has only {title} and {id} in braces';
  if (!isBranchNameSafe(example))
    return 'must make a name that git takes for a branch: no spaces, no ~ ^ : ? * [ \\, no .. and no / at an end';
  return null;
}

/** Whether git takes it for the name of a branch (`git check-ref-format --branch`), and it reads as no option. */
export function isBranchNameSafe(name: string): boolean {
  return (
    name.length <= MAX_NAME_CHARS &&
    /^[^\p{Cc}\p{Cf}\p{Z}~^:?*[\\]+$/u.test(name) &&
    !/^[-/]|\/$|\/\/|\.\.|@\{|\.$/.test(name) &&
    !name.split('/').some((part) => part.startsWith('.') || part.endsWith('.lock')) &&
    name !== '@' &&
    name !== 'HEAD'
  );
}

function slugOf(title: string): string {
  const slug = title
    .normalize('NFC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-');
  return [...slug]
    .slice(0, MAX_TITLE_CHARS)
    .join('')
    .replace(/^-+|-+$/g, '');
}

function cleaned(name: string): string {
  return name
    .replace(/[\p{Cc}\p{Cf}\p{Z}~^:?*[\\]+/gu, '-')
    .replace(/\.{2,}/g, '.')
    .replace(/@\{/g, '-')
    .replace(/\/{2,}/g, '/')
    .replace(/^[-/.]+|[/.]+$/g, '');
}
