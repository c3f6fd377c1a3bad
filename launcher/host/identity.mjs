import { spawnSync } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { ownHome } from './home.mjs';

/**
 * @typedef {{ name: string, uid: number, gid: number, home: string }} Account
 *
 * @typedef {{ foreign: true, uid: number, gid: number } | { foreign: false, uid?: number | null, gid?: number | null }} Owner
 * `foreign` when root must give up its rights for it; an id is null where the system has none.
 *
 * @typedef {Owner & { uid: number | null, gid: number | null, name: string, home: string | null }} Identity
 *
 * @typedef {[need: 'r' | 'x' | 'w', path: string]} Need
 */

/** Serves where the checkout is root's: an id that no distribution gives to an account. */
const ORDINARY_ID = 10_001;

/**
 * Who runs the service. Not root: the user who starts it. Root: the owner of the checkout, and where that is root too,
 * an ordinary id without an account; nothing that reads what a model wrote ever runs as root.
 * @param {string} checkout
 * @returns {Identity}
 */
export function decideIdentity(checkout) {
  if (process.getuid?.() !== 0)
    return {
      uid: process.getuid?.() ?? null,
      gid: process.getgid?.() ?? null,
      name: process.env.USER ?? '',
      home: ownHome(),
      foreign: false,
    };
  const owner = statSync(checkout);
  const uid = owner.uid === 0 ? ORDINARY_ID : owner.uid;
  const account = accountOf(uid);
  return {
    uid,
    gid: account?.gid ?? (owner.uid === 0 ? ORDINARY_ID : owner.gid),
    name: account?.name ?? 'chirality',
    home: account?.home ?? null,
    foreign: true,
  };
}

/**
 * The account of a uid, or null; programs that look their user up (initdb does) refuse to run without one.
 * @param {number | null} uid
 */
export function accountOf(uid, passwd = readPasswd()) {
  return passwd.find((account) => account.uid === uid) ?? null;
}

/**
 * Some ordinary account, for a program that insists on having one.
 * @returns {Account | null}
 */
export function anyOrdinaryAccount(passwd = readPasswd()) {
  const ordinary = passwd.filter((account) => account.uid > 0);
  return ordinary.find((account) => account.name === 'nobody') ?? ordinary[0] ?? null;
}

/** @returns {Account[]} */
function readPasswd() {
  try {
    return readFileSync('/etc/passwd', 'utf8')
      .split('\n')
      .map((line) => line.split(':'))
      .flatMap(([name, , uid, gid, , home]) =>
        name === undefined || home === undefined ? [] : [{ name, uid: Number(uid), gid: Number(gid), home }],
      );
  } catch {
    return [];
  }
}

/**
 * The first of the paths that this identity cannot use, or null: proven by a process that runs as it. Each is
 * `[need, path]` with need `r` (read), `x` (enter or execute) or `w` (write).
 * @param {Owner} identity
 * @param {Need[]} needs
 * @returns {string | null}
 */
export function firstOutOfReach(identity, needs) {
  const script = 'while [ $# -gt 0 ]; do test "-$1" "$2" || { printf %s "$2"; exit 1; }; shift 2; done';
  const { status, stdout } = spawnSync('/bin/sh', ['-c', script, 'reach', ...needs.flat()], {
    cwd: '/',
    encoding: 'utf8',
    ...(identity.foreign ? { uid: identity.uid, gid: identity.gid } : {}),
  });
  return status === 0 ? null : stdout || '/bin/sh';
}

/**
 * Gives up root for good in this process: nothing that it starts from here on can get it back.
 * @param {Identity} identity
 * @param {string} home
 */
export function becomeIdentity(identity, home) {
  if (!identity.foreign) return;
  if (!process.setgroups || !process.setgid || !process.setuid) throw new Error('this system has no user ids');
  process.setgroups([identity.gid]);
  process.setgid(identity.gid);
  process.setuid(identity.uid);
  Object.assign(process.env, { HOME: home, USER: identity.name, LOGNAME: identity.name });
  // npm tells its scripts where root's files are.
  for (const name of Object.keys(process.env))
    if (/^npm_config_(cache|userconfig|globalconfig|prefix|init_module)$/.test(name)) delete process.env[name];
}

/**
 * In another user's checkout root gives up its rights before anything is written there, or the owner could no
 * longer change it. Answers who runs from here on; where the owner cannot run this Node and npm, nothing changes.
 * @param {Identity} identity
 * @param {string} checkout
 * @returns {Identity}
 */
export function yieldToOwner(identity, checkout) {
  if (!identity.foreign || statSync(checkout).uid === 0) return identity;
  /** @type {Need[]} */
  const needs = [
    ['x', process.execPath],
    ['w', checkout],
  ];
  if (process.env.npm_execpath) needs.push(['r', process.env.npm_execpath]);
  if (firstOutOfReach(identity, needs) !== null) return identity;
  becomeIdentity(identity, identity.home ?? '/');
  return decideIdentity(checkout);
}
