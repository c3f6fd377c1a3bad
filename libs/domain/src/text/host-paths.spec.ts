import { withoutHostPaths } from './host-paths';

describe('text without the paths of the host', () => {
  it.each([
    [
      "bwrap: Can't find source path /home/ops/chirality/.chirality/sessions/sess_01/workspace: No such file or directory",
      "bwrap: Can't find source path «path»: No such file or directory",
    ],
    [
      "ENOENT: no such file or directory, open '/var/lib/chirality/data/run/seccomp.bpf'",
      "ENOENT: no such file or directory, open '«path»'",
    ],
    ['The file (/tmp/chirality-x/w0/prompts/ab.md) is gone.', 'The file («path») is gone.'],
    ['"/srv/a/b" and /root/c/d/', '"«path»" and «path»'],
  ])('hides them: %s', (text, hidden) => {
    expect(withoutHostPaths(text)).toBe(hidden);
  });

  it.each([
    'cat: /workspace/src/a.ts: No such file or directory',
    '/usr/bin/perl is needed to reach hosts from a sandbox. See /etc/hosts and /config/x.',
    'GET /v1/sessions/sess_01/turns answers it; https://example.com/a/b does not.',
    'src/a/b.ts and ./c/d differ; 1/2 of them, and/or more',
    'Match with s/a/b/ or /x.',
  ])('leaves the rest alone: %s', (text) => {
    expect(withoutHostPaths(text)).toBe(text);
  });
});
