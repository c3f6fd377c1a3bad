import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SCRIPT_PRELUDE } from '../script/script-prelude';
import { FILE_PATCH } from './diff-scripts';

describe('the patch of one file', () => {
  let root: string;
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'file-patch-'));
    for (const name of ['w', 's/git', 'bin']) mkdirSync(join(root, name), { recursive: true });
    writeFileSync(join(root, 's/git/index'), '');
  });
  afterEach(() => rmSync(root, { recursive: true, force: true }));

  /** With a git whose `diff` does this. */
  function patch(diff: string) {
    const git = `#!/bin/sh\ncase "$*" in *" diff "*) ${diff} ;; *rev-parse*) echo 0123456789012345678901234567890123456789 ;; esac\n`;
    writeFileSync(join(root, 'bin/git'), git, { mode: 0o755 });
    const env = {
      PATH: `${join(root, 'bin')}:${process.env['PATH']}`,
      W: join(root, 'w'),
      S: join(root, 's'),
      O: root,
    };
    const { status, stdout } = spawnSync(
      '/bin/sh',
      ['-c', SCRIPT_PRELUDE + FILE_PATCH, 'workspace', '', 'session', '', 'base', '0', '40', 'a.txt'],
      { env },
    );
    return { status, text: stdout.toString() };
  }

  it('is what git says, as much of it as is wanted', () => {
    expect(patch('echo one')).toEqual({ status: 0, text: 'one\n' });
    expect(patch('yes 2> /dev/null')).toEqual({ status: 0, text: 'y\n'.repeat(20) });
  });

  it('is none when git fails, rather than an empty one', () => {
    expect(patch('exit 128').status).toBe(48);
  });
});
