import { chmodSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { run, tail, which } from './run.mjs';

/** True on Debian, Ubuntu and their kin. */
export function hasApt() {
  return which('apt-get') !== null && which('dpkg-deb') !== null;
}

/**
 * Installs packages into the system, as root. Resolves with null, or with the end of the output where it failed.
 * @param {string[]} names
 * @returns {Promise<string | null>}
 */
export async function installPackages(names) {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const install = () =>
    run('apt-get', ['install', '-y', '--no-install-recommends', '-o', 'DPkg::Lock::Timeout=120', ...names], { env });
  const first = await install();
  if (first.code === 0) return null;
  await run('apt-get', ['update', '-o', 'DPkg::Lock::Timeout=120'], { env, timeoutMs: 300_000 });
  const second = await install();
  return second.code === 0 ? null : tail(second.output, 6);
}

/**
 * Downloads packages and whatever they need that is not installed, without root and without touching the system, and
 * unpacks them all into `<cache>/unpacked/<key>`. Resolves with that directory, or null.
 * @param {string[]} names
 * @param {string} cache
 * @returns {Promise<string | null>}
 */
export async function unpackPackages(names, cache) {
  const target = join(cache, 'unpacked', names.join('+'));
  if (existsSync(target)) return target;
  const downloads = join(cache, 'apt', `${names.join('+')}.${process.pid}`);
  try {
    const systemLists = aptOptions(downloads, '/var/lib/apt/lists');
    if (!(await download(names, downloads, systemLists))) {
      const ownLists = aptOptions(downloads, join(cache, 'apt', 'lists'));
      await run('apt-get', [...ownLists, 'update'], { timeoutMs: 300_000 });
      if (!(await download(names, downloads, ownLists))) return null;
    }
    return await unpackAll(join(downloads, 'archives'), target);
  } finally {
    rmSync(downloads, { recursive: true, force: true });
  }
}

/**
 * @param {string} downloads
 * @param {string} lists
 */
function aptOptions(downloads, lists) {
  mkdirSync(join(downloads, 'archives', 'partial'), { recursive: true });
  if (!existsSync(lists)) mkdirSync(join(lists, 'partial'), { recursive: true });
  const settings = {
    'Dir::State': join(downloads, 'state'),
    'Dir::State::lists': lists,
    'Dir::State::status': '/var/lib/dpkg/status',
    'Dir::Cache': downloads,
    'Dir::Cache::archives': join(downloads, 'archives'),
    'Debug::NoLocking': '1',
    'APT::Sandbox::User': '',
    // Hooks of the system's configuration are for the system's own cache.
    'APT::Update::Post-Invoke::': 'true',
  };
  mkdirSync(join(downloads, 'state'), { recursive: true });
  return Object.entries(settings).flatMap(([name, value]) => ['-o', `${name}=${value}`]);
}

/**
 * @param {string[]} names
 * @param {string} downloads
 * @param {string[]} options
 */
async function download(names, downloads, options) {
  const { code } = await run('apt-get', [
    ...options,
    'install',
    '-y',
    '--no-install-recommends',
    '--download-only',
    ...names,
  ]);
  return code === 0 && readdirSync(join(downloads, 'archives')).some((name) => name.endsWith('.deb'));
}

/**
 * @param {string} archives
 * @param {string} target
 */
async function unpackAll(archives, target) {
  const partial = `${target}.${process.pid}.partial`;
  mkdirSync(partial, { recursive: true });
  for (const archive of readdirSync(archives).filter((name) => name.endsWith('.deb'))) {
    const { code } = await run('dpkg-deb', ['-x', join(archives, archive), partial]);
    if (code !== 0) return null;
  }
  try {
    renameSync(partial, target);
  } catch (error) {
    // Another start was faster and unpacked the same.
    if (!existsSync(target)) throw error;
    rmSync(partial, { recursive: true, force: true });
  }
  return target;
}

/** @type {Partial<Record<NodeJS.Architecture, string>>} */
const LOADERS = { x64: 'lib64/ld-linux-x86-64.so.2', arm64: 'lib/ld-linux-aarch64.so.1' };

/**
 * Writes `<cache>/bin/<name>`, which runs a program out of an unpacked directory. Its libraries are named to the
 * dynamic loader and not in the environment, where everything that the program starts would inherit them.
 * @param {string} name
 * @param {string} program
 * @param {string} unpacked
 * @param {string} cache
 */
export async function writeLauncher(name, program, unpacked, cache) {
  const place = join(unpacked, 'usr', 'lib');
  // A package may bring a program alone.
  const triplet = (existsSync(place) ? readdirSync(place) : []).find((entry) => entry.includes('-linux-')) ?? '';
  const libraries = [join(unpacked, 'usr/lib', triplet), join(unpacked, 'lib', triplet)].filter(existsSync);
  const { output } = await run('ldd', [program]);
  const loader = join('/', LOADERS[process.arch] ?? '');
  const command =
    output.includes('not found') && existsSync(loader)
      ? `${loader} --library-path ${quote(libraries.join(':'))} ${quote(program)}`
      : quote(program);
  return writeScript(join(cache, 'bin', name), `exec ${command} "$@"`);
}

/**
 * Writes an executable shell script whole or not at all, and answers its path.
 * @param {string} path
 * @param {string} body
 */
export function writeScript(path, body) {
  mkdirSync(join(path, '..'), { recursive: true });
  const partial = `${path}.${process.pid}`;
  writeFileSync(partial, `#!/bin/sh\n${body}\n`);
  chmodSync(partial, 0o755);
  renameSync(partial, path);
  return path;
}

/** @param {string} word */
export function quote(word) {
  return `'${word.replaceAll("'", "'\\''")}'`;
}
