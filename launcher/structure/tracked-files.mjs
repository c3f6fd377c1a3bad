import { execFileSync } from 'node:child_process';
import { CHECKOUT } from '../host/checkout.mjs';

/** The paths of what git tracks and of what is new and not ignored, from the repository's root. */
export function trackedFiles() {
  // Tests of a checkout that root owns run as another user, whom git would refuse.
  const trust = ['-c', `safe.directory=${CHECKOUT}`];
  const words = ['ls-files', '-z', '--cached', '--others', '--exclude-standard'];
  return execFileSync('git', [...trust, ...words], { cwd: CHECKOUT, encoding: 'utf8' })
    .split('\0')
    .filter((path) => path !== '');
}
