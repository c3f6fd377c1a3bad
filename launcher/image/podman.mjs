import { CHECKOUT } from '../host/checkout.mjs';
import { run, tail } from '../host/run.mjs';
import { Sentence } from '../text/sentence.mjs';

/**
 * runc reads the profile and the unmasking as Docker does.
 * @param {string[]} words
 */
export async function podman(...words) {
  const { code, output } = await run('podman', ['--runtime', 'runc', ...words], {
    cwd: CHECKOUT,
    timeoutMs: 1_800_000,
  });
  if (code !== 0) throw new Sentence(`podman ${words.slice(0, 6).join(' ')} … failed:\n${tail(output, 25)}`);
  return output.trim();
}
