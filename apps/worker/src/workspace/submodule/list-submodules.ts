import type { ScriptRunner } from '../script/script-runner';
import { LIST_SUBMODULES } from './submodule-scripts';

const TIMEOUT_MS = 60_000;
const MAX_LIST_BYTES = 1024 * 1024;

/** `url`: as `.gitmodules` has it; null where it names none for that path. */
export type ListedSubmodule = { path: string; commit: string; isHere: boolean; url: string | null };

/**
 * The submodules of a commit of `repo.git` in the directory; `truncated`: there are more. `known`: a repository whose
 * objects it borrows.
 */
export async function listSubmodules(
  scripts: ScriptRunner,
  { directory, known, commit }: { directory: string; known?: string | undefined; commit: string },
): Promise<{ listed: ListedSubmodule[]; truncated: boolean }> {
  const { stdout, truncated } = await scripts.run({
    text: LIST_SUBMODULES,
    args: [commit],
    mounts: { workspace: directory, ...(known === undefined ? {} : { source: known }) },
    timeoutMs: TIMEOUT_MS,
    maxOutputBytes: MAX_LIST_BYTES,
  });
  return { listed: readSubmodules(stdout.toString('utf8')), truncated };
}

/** Of what LIST_SUBMODULES prints. */
export function readSubmodules(printed: string): ListedSubmodule[] {
  const links: { path: string; commit: string }[] = [];
  const here = new Set<string>();
  const said = new Map<string, { path?: string; url?: string }>();
  // What was cut off at the end is no entry.
  for (const entry of printed.split('\0').slice(0, -1)) {
    const text = entry.slice(1);
    if (entry.startsWith('G')) {
      const at = text.indexOf(' ');
      links.push({ commit: text.slice(0, at), path: text.slice(at + 1) });
    } else if (entry.startsWith('P')) here.add(text);
    else {
      const [key = '', ...value] = text.split('\n');
      const name = key.replace(/\.[a-z]+$/, '');
      const what = key.endsWith('.url') ? 'url' : 'path';
      // Of several the last counts, as for git.
      said.set(name, { ...said.get(name), [what]: value.join('\n') });
    }
  }
  const urls = new Map([...said.values()].map(({ path, url }) => [path, url]));
  return links.map(({ path, commit }) => ({ path, commit, isHere: here.has(commit), url: urls.get(path) ?? null }));
}
