import { readlink } from 'node:fs/promises';

/** A workspace where the tools see it and where it is on this machine. */
type WorkspacePlaces = { inside: string; host: string };

/** As many as Linux follows. */
const MAX_LINKS = 40;
/** Nor is any longer. */
const MAX_PATH_LENGTH = 4_096;

/**
 * The path that a tool really reaches when it is given this one: links in the workspace are followed as they are for
 * the tool, whatever the same names mean on this machine. Null where links lead round and round. A path outside the
 * workspace is not looked at.
 */
export async function realPathOf(path: string, { inside, host }: WorkspacePlaces): Promise<string | null> {
  if (path.length > MAX_PATH_LENGTH) return null;
  const ahead = segmentsOf(path.startsWith('/') ? path : `${inside}/${path}`);
  let reached = '';
  let links = 0;
  for (let segment = ahead.shift(); segment !== undefined; segment = ahead.shift()) {
    if (segment === '..') {
      reached = reached.slice(0, Math.max(0, reached.lastIndexOf('/')));
      continue;
    }
    const next = `${reached}/${segment}`;
    const target = next.startsWith(`${inside}/`) ? await targetOf(host + next.slice(inside.length)) : null;
    if (target === null) {
      reached = next;
      continue;
    }
    links += 1;
    if (links > MAX_LINKS) return null;
    if (target.startsWith('/')) reached = '';
    ahead.unshift(...segmentsOf(target));
  }
  return reached === '' ? '/' : reached;
}

function segmentsOf(path: string): string[] {
  return path.split('/').filter((segment) => segment !== '' && segment !== '.');
}

/** Null for what is no link, or not there yet. */
async function targetOf(path: string): Promise<string | null> {
  try {
    return await readlink(path);
  } catch {
    return null;
  }
}
