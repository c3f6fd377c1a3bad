import { accessSync, constants, lstatSync, readlinkSync } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';
import { SandboxUnavailableError } from '../sandbox.types';

/**
 * A directory of the host's root, such as /lib: a link into /usr where the distribution merged them, else a directory.
 */
export interface SystemRoot {
  path: string;
  linkTarget: string | null;
}

const SEARCH_PATH = ['/usr/local/bin', '/usr/bin', '/bin', '/usr/sbin', '/sbin'];

/**
 * Absolute path of a program: the configured one if any, else the first in the search path or the system's directories.
 */
export function findProgram(name: string, configured: string | null | undefined, searchPath: string): string {
  if (configured) {
    if (!isAbsolute(configured) || !isExecutable(configured))
      throw new SandboxUnavailableError(`${configured} is configured as ${name}, but this user cannot execute it.`);
    return configured;
  }
  for (const directory of [...searchPath.split(delimiter), ...SEARCH_PATH]) {
    const candidate = join(directory, name);
    if (isAbsolute(directory) && isExecutable(candidate)) return candidate;
  }
  const advice = name === 'bwrap' ? 'Install the package bubblewrap.' : 'Install the package util-linux.';
  throw new SandboxUnavailableError(`The program ${name} was not found. ${advice}`);
}

export function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK | constants.R_OK);
    return true;
  } catch {
    return false;
  }
}

/** How this distribution lays out the directories beside /usr that programs and their loader are looked up in. */
export function readSystemRoots(): SystemRoot[] {
  return ['/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32'].flatMap((path): SystemRoot[] => {
    const stat = lstatSync(path, { throwIfNoEntry: false });
    if (stat?.isSymbolicLink()) return [{ path, linkTarget: readlinkSync(path) }];
    return stat?.isDirectory() ? [{ path, linkTarget: null }] : [];
  });
}
