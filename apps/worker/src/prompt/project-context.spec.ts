import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readProjectContext } from './project-context';

describe('the context files of a project', () => {
  let workspace: string;
  beforeEach(() => {
    workspace = mkdtempSync(join(tmpdir(), 'context-'));
  });
  afterEach(() => rmSync(workspace, { recursive: true }));

  it('are read up to their limits, never through half a character', async () => {
    writeFileSync(join(workspace, 'README.md'), 'é'.repeat(4_000));
    writeFileSync(join(workspace, 'AGENTS.md'), 'Use tabs.');
    expect(await readProjectContext(workspace)).toEqual([
      { name: 'README.md', text: 'é'.repeat(2_048), cut: true },
      { name: 'AGENTS.md', text: 'Use tabs.', cut: false },
    ]);
  });

  it('are not followed out of the workspace, and a pipe does not block', async () => {
    symlinkSync('/etc/passwd', join(workspace, 'README.md'));
    execFileSync('mkfifo', [join(workspace, 'CLAUDE.md')]);
    expect(await readProjectContext(workspace)).toEqual([]);
  });
});
