import { run, which } from './run.mjs';

const PROBE = [
  '--unshare-user',
  '--unshare-pid',
  '--unshare-ipc',
  '--unshare-net',
  '--disable-userns',
  '--die-with-parent',
  '--ro-bind',
  '/',
  '/',
  '--proc',
  '/proc',
  '--dev',
  '/dev',
  '--',
  'true',
];

/**
 * Why the one who serves cannot make a sandbox here, in a few words, or null when it can.
 * @param {import('./identity.mjs').Identity} identity
 */
export async function whySandboxFails(identity, path = process.env.PATH) {
  if (process.platform !== 'linux') return 'it needs Linux';

  const program = which('bwrap', path);
  if (program === null) return 'bubblewrap is not installed';
  const { code, output } = await run(program, PROBE, {
    timeoutMs: 10_000,
    cwd: '/',
    ...(identity.foreign && process.getuid?.() === 0 ? { uid: identity.uid, gid: identity.gid } : {}),
  });
  return code === 0 ? null : output.trim().split('\n').at(-1) || `bubblewrap ended with ${code}`;
}
