import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const ROOT = resolve(__dirname, '..');
/** Half a minute on a quiet machine. */
const TIMEOUT_MS = 480_000;
/** @param {string[]} words */
const fidelity = (...words) =>
  spawnSync(process.execPath, [join(ROOT, 'scripts/fidelity.mjs'), ...words], {
    encoding: 'utf8',
    timeout: TIMEOUT_MS,
  });

describe('npm run fidelity', () => {
  it(
    'finds nothing to say of the program that was tested',
    () => {
      const { status, stdout, stderr } = fidelity();
      expect({ status, stderr, said: stdout.split('\n').slice(1).join('\n') }).toEqual({
        status: 0,
        stderr: '',
        said: '',
      });
    },
    TIMEOUT_MS + 10_000,
  );

  it(
    'names what another program writes differently, and fails',
    () => {
      const directory = mkdtempSync(join(tmpdir(), 'other-claude-'));
      try {
        const other = join(directory, 'claude');
        const real = require.resolve(`@anthropic-ai/claude-code-${process.platform}-${process.arch}/claude`);
        writeFileSync(other, `#!/bin/bash\nset -o pipefail\n"${real}" "$@" | sed -u 's/"num_turns":/"turn_count":/'\n`);
        chmodSync(other, 0o755);
        const { status, stdout } = fidelity('text', '--claude', other);
        expect({ status, added: stdout.includes('+ turn_count: number') }).toEqual({ status: 1, added: true });
      } finally {
        rmSync(directory, { recursive: true });
      }
    },
    TIMEOUT_MS + 10_000,
  );

  it('takes no other program where --claude names none', () => {
    const { status, stderr } = fidelity('text', '--claude');
    expect([status, stderr]).toEqual([2, '--claude takes the path of a program.\n']);
  });

  it('lists the known scenarios when an unknown one is named, and does nothing', () => {
    const { status, stderr } = fidelity('no-such-run');
    expect({ status, helpful: stderr.includes('There are: text, thinking') }).toEqual({ status: 2, helpful: true });
  });
});
