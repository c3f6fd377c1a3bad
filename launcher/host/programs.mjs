import { existsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ownHome } from './home.mjs';
import { hasApt, installPackages, quote, unpackPackages, writeLauncher, writeScript } from './apt.mjs';
import { run, which } from './run.mjs';
import { Sentence } from '../text/sentence.mjs';

const isRoot = () => process.getuid?.() === 0;

/** Where fetched programs are kept: root's for everyone to execute, another user's in their own cache. */
function programCache() {
  if (isRoot()) return '/var/cache/chirality';
  return join(process.env.XDG_CACHE_HOME || join(process.env.HOME || ownHome() || tmpdir(), '.cache'), 'chirality');
}

/** PATH with the fetched programs behind the system's own. */
export function programPath(cache = programCache()) {
  return `${process.env.PATH ?? '/usr/bin:/bin'}:${join(cache, 'bin')}`;
}

/**
 * A Redis server that can be started, found or fetched. Root gets it unpacked too: the package would start a service on
 * an open port.
 */
export async function findRedis() {
  for (const name of ['redis-server', 'valkey-server']) {
    const path = which(name, programPath());
    if (path !== null) return path;
  }
  for (const name of hasApt() ? ['redis', 'valkey'] : []) {
    const server = `${name}-server`;
    const path = await fetchProgram(server, [server, `${name}-tools`], `usr/bin/${server}`);
    if (path !== null) return path;
  }
  throw new Sentence(
    'No Redis server was found or could be fetched: install redis-server or valkey (with apt, dnf, apk or brew), or set REDIS_URL to one that runs.',
  );
}

/** The bubblewrap program, found or fetched; a Sentence where there is none to be had. */
export async function findBubblewrap() {
  if (process.platform !== 'linux') {
    throw new Sentence(
      'The sandbox needs Linux: turns are refused on this system with SANDBOX_UNAVAILABLE. To run turns without one, on your own machine only, set CHIRALITY_SANDBOX=none.',
    );
  }
  const present = which('bwrap', programPath());
  if (present !== null) return present;
  if (hasApt() && isRoot() && (await installPackages(['bubblewrap'])) === null) return which('bwrap');
  const fetched = hasApt() ? await fetchProgram('bwrap', ['bubblewrap'], 'usr/bin/bwrap') : null;
  if (fetched !== null) return fetched;
  throw new Sentence(
    'bubblewrap, which makes the sandbox, was not found and could not be fetched: install it (apt-get, dnf or apk: bubblewrap) and start again. To run turns without a sandbox, on your own machine only, set CHIRALITY_SANDBOX=none.',
  );
}

/**
 * OpenSSH's server for the tests, found or fetched, or null. It is unpacked for root too: the package would start a
 * service on an open port.
 */
export async function findSshd() {
  const present = which('sshd', `${programPath()}:/usr/sbin:/usr/local/sbin`);
  if (present !== null || !hasApt()) return present;
  const cache = programCache();
  const unpacked = await unpackPackages(['openssh-server'], cache);
  const program = unpacked === null ? null : join(unpacked, 'usr/sbin/sshd');
  if (unpacked === null || program === null || !existsSync(program)) return null;
  const launcher = await writeLauncher('sshd', program, unpacked, cache);
  // It has no word for "which version": it says how it is used.
  return (await run(launcher, ['-?'])).output.includes('usage: sshd') ? launcher : null;
}

/** nginx for the tests, found or fetched, or null. It is unpacked for root too: the package would start a service. */
export async function findNginx() {
  const present = which('nginx', `${programPath()}:/usr/sbin:/usr/local/sbin`);
  if (present !== null || !hasApt()) return present;
  const cache = programCache();
  const unpacked = await unpackPackages(['nginx'], cache);
  const program = unpacked === null ? null : join(unpacked, 'usr/sbin/nginx');
  if (unpacked === null || program === null || !existsSync(program)) return null;
  const launcher = await writeLauncher('nginx', program, unpacked, cache);
  return (await run(launcher, ['-v'])).code === 0 ? launcher : null;
}

/** git, which the sandbox shows to turns from the system, so that an unpacked one would not do. */
export async function requireGit() {
  if (which('git') !== null) return;
  if (hasApt() && isRoot() && (await installPackages(['git'])) === null) return;
  throw new Sentence('git was not found: install it (apt-get, dnf, apk or brew: git) and start again.');
}

/** Chromium for the browser tests, found or fetched, or null. */
export async function findChromium() {
  const present = which('chromium', programPath()) ?? which('chromium-browser') ?? which('google-chrome');
  if (present !== null || !hasApt()) return present;
  if (isRoot()) return (await installPackages(['chromium'])) === null ? which('chromium') : null;
  const unpacked = await unpackPackages(['chromium'], programCache());
  if (unpacked === null) return null;
  const program = join(unpacked, 'usr/lib/chromium/chromium');
  if (!existsSync(program)) return null;
  return writeChromiumLauncher(program, unpacked);
}

/**
 * @param {string} name
 * @param {string[]} packages
 * @param {string} path
 */
async function fetchProgram(name, packages, path) {
  const cache = programCache();
  const unpacked = await unpackPackages(packages, cache);
  if (unpacked === null || !existsSync(join(unpacked, path))) return null;
  const launcher = await writeLauncher(name, join(unpacked, path), unpacked, cache);
  return (await run(launcher, ['--version'])).code === 0 ? launcher : null;
}

/**
 * Chromium starts itself again from /proc/self/exe, so its libraries have to be in the environment; nor does it find
 * the unpacked fonts without help.
 * @param {string} program
 * @param {string} unpacked
 */
function writeChromiumLauncher(program, unpacked) {
  const fonts = `<fontconfig><dir>${join(unpacked, 'usr/share/fonts')}</dir><dir>/usr/share/fonts</dir><cachedir prefix="xdg">fontconfig</cachedir></fontconfig>`;
  const configuration = join(programCache(), 'fonts.conf');
  writeFileSync(configuration, fonts);
  return writeScript(
    join(programCache(), 'bin', 'chromium'),
    [
      `triplet=$(basename ${quote(unpacked)}/usr/lib/*-linux-gnu)`,
      `export LD_LIBRARY_PATH=${quote(unpacked)}/usr/lib/$triplet:${quote(unpacked)}/lib/$triplet FONTCONFIG_FILE=${quote(configuration)}`,
      `exec ${quote(program)} "$@"`,
    ].join('\n'),
  );
}
