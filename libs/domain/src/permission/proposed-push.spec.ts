import { decideToolUse, type ToolUse } from './decide-tool-use';
import { proposedPush } from './proposed-push';

const proposal = (branch: string | null = null, pullRequest: unknown = null) => ({
  kind: 'proposal',
  push: { branch, pullRequest },
});

describe('a push that the model proposes', () => {
  it.each([
    ['git push', null],
    ['git push -u origin HEAD 2>&1 | tail -5', null],
    ['cd /workspace && git -C /workspace push --set-upstream origin feature', null],
    ['git push origin "$(git branch --show-current)"', null],
    ['git push origin HEAD:refs/heads/fix/login', 'fix/login'],
  ])('is %s', (command, branch) => {
    expect(proposedPush(command)).toEqual(proposal(branch));
  });

  it.each([
    'git status',
    'echo git push',
    'git push /tmp/copy.git main',
    'git push backup',
    'git push https://example.org/x.git HEAD',
    'git push --dry-run',
    'git log --grep push',
    "cat > notes.md <<'EOF'\ngit push\nEOF",
    'gh pr list',
  ])('is not %s', (command) => {
    expect(proposedPush(command)).toBeNull();
  });

  it.each([
    'git add -A && git commit -qm x && git push',
    'git push --force origin HEAD',
    'git push origin +HEAD:main',
    'git push origin :gone',
    'git push --tags',
    'git push origin one two',
    'git push origin $(cat name)',
  ])('cannot be proposed as it stands: %s', (command) => {
    expect(proposedPush(command)).toMatchObject({ kind: 'refused' });
  });

  it('may open a pull request, with a description of several lines', () => {
    const command = `git push -u origin HEAD && gh pr create --title "Count to ten" -B main --draft --body "$(cat <<'EOF'
## Summary
- it's "ten" & $more

EOF
)"`;
    expect(proposedPush(command)).toEqual(
      proposal(null, { title: 'Count to ten', body: `## Summary\n- it's "ten" & $more\n`, base: 'main', draft: true }),
    );
    expect(proposedPush('glab mr create -t T -d "in short" -b next --fill')).toEqual(
      proposal(null, { title: 'T', body: 'in short', base: 'next', draft: false }),
    );
    expect(proposedPush('gh pr create --fill')).toEqual(
      proposal(null, { title: null, body: null, base: null, draft: false }),
    );
  });
});

describe('a push at the gate', () => {
  const use: ToolUse = {
    mode: 'workbench',
    permissionMode: 'default',
    strict: false,
    autoApproveTools: [],
    rules: [],
    tool: 'Bash',
    input: { command: 'git push' },
    mayProposePush: true,
  };

  it('is asked about whatever allows commands, and offers no rule', () => {
    for (const wide of [
      {},
      { autoApprove: true },
      { autoApproveTools: ['Bash'] },
      { rules: [{ tool: 'Bash', pattern: 'git *', effect: 'allow' as const }] },
    ]) {
      const decision = decideToolUse({ ...use, ...wide });
      expect(decision).toMatchObject({ decision: 'ask', pattern: null, push: { branch: null } });
      expect(decision.patterns).toBeUndefined();
    }
  });

  it('is denied by rules, while planning, and where no one can be asked', () => {
    const rule = { tool: 'Bash', pattern: 'git push *', effect: 'deny' as const };
    for (const denying of [
      { rules: [rule] },
      { permissionMode: 'plan' as const },
      { permissionMode: 'dontAsk' as const },
      { mode: 'pipeline' as const },
    ])
      expect(decideToolUse({ ...use, ...denying })).toMatchObject({ decision: 'deny' });
  });

  it('says how to propose one that stands among other commands', () => {
    const decision = decideToolUse({ ...use, input: { command: 'git commit -qam x && git push' } });
    expect(decision).toMatchObject({ decision: 'deny', reason: expect.stringContaining('as a separate command') });
  });

  it('is a command like others where the project has no remote', () => {
    expect(decideToolUse({ ...use, mayProposePush: false, autoApproveTools: ['Bash'] })).toMatchObject({
      decision: 'allow',
    });
  });
});
