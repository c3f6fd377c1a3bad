import { run, which } from './run.mjs';

const PROBE = ['--unshare-user', '--unshare-pid', '--unshare-ipc', '--unshare-net', '--disable-userns', '--die-with-parent', '--ro-bind', '/', '/', '--proc', '/proc', '--dev', '/dev', '--', 'true'];

/** Why this user cannot make a sandbox here, in a few words, or null when it can. */
export async function whySandboxFails(path = process.env.PATH) {
  if (process.platform !== 'linux') return 'it needs Linux';
  if (process.getuid() === 0) return 'root must not make one';
  const program = which('bwrap', path);
  if (program === null) return 'bubblewrap is not installed';
  const { code, output } = await run(program, PROBE, { timeoutMs: 10_000 });
  return code === 0 ? null : output.trim().split('\n').at(-1) || `bubblewrap ended with ${code}`;
}
