import { failureSentence } from './failure-sentence';

describe('why a sandbox did not come up', () => {
  it.each([
    ['bwrap: setting up uid map: Permission denied', 'AppArmor'],
    [
      'bwrap: No permissions to create new namespace, likely because the kernel does not allow non-privileged user namespaces.',
      'user namespaces',
    ],
    ['bwrap: Creating new namespace failed: Operation not permitted', 'user namespaces'],
    ["bwrap: Can't mount proc on /newroot/proc: Operation not permitted", 'systempaths=unconfined'],
    ['bwrap: pivot_root: Operation not permitted', 'system call filter'],
    ['bwrap: Creating new namespace failed: Resource temporarily unavailable', 'limit of processes is reached'],
    ['flock: fork failed: Resource temporarily unavailable', 'limit of processes is reached'],
    ['bwrap: Creating new namespace failed: No space left on device', 'user.max_user_namespaces'],
  ])('says what to do about "%s"', (line, advice) => {
    expect(failureSentence(line)).toContain(advice);
    expect(failureSentence(line)).toContain(line);
  });

  it('passes on what it does not know', () => {
    expect(failureSentence("bwrap: Can't find source path /x: No such file or directory")).toBe(
      "bwrap: Can't find source path /x: No such file or directory",
    );
  });
});
