/** A person as git names one. */
export type GitPerson = { name: string; email: string };

// Git refuses or silently drops these: they delimit the identity inside a commit object.
const FORBIDDEN = /[<>\n\r\0]+/g;
const LONGEST = 200;

/**
 * The variables that set the author and committer of what git commits in a process. Whatever the name holds, git
 * accepts the result: delimiters are dropped, a name of nothing but dots and commas becomes `Unknown`.
 */
export function gitAuthorEnvironment(person: GitPerson): Record<string, string> {
  const name = clean(person.name, 'Unknown');
  const email = clean(person.email, 'unknown@localhost');
  return { GIT_AUTHOR_NAME: name, GIT_AUTHOR_EMAIL: email, GIT_COMMITTER_NAME: name, GIT_COMMITTER_EMAIL: email };
}

function clean(value: string, otherwise: string): string {
  const kept = [...value.replace(FORBIDDEN, ' ').trim()].slice(0, LONGEST).join('').trim();
  return /[^\s.,:;"'\\]/.test(kept) ? kept : otherwise;
}
