import type { Attack } from './attack';

const hook = (name: string) => ({ [`/workspace/.git/hooks/${name}`]: '#!/bin/sh\n$RUN\n' });
const executable = (path: string) => `chmod +x ${path}`;
const script = (path: string) => ({ [path]: '#!/bin/sh\n$RUN\n' });

/** What a shell, git or another program that may run unasked could load. */
export const ATTACKS_ON_SHELL_AND_GIT: readonly Attack[] = [
  { name: 'bashrc', files: { '$HOME/.bashrc': '$RUN\n' } },
  { name: 'bash profile', files: { '$HOME/.bash_profile': '$RUN\n' } },
  { name: 'bash login', files: { '$HOME/.bash_login': '$RUN\n' } },
  { name: 'profile', files: { '$HOME/.profile': '$RUN\n' } },
  { name: 'zshenv', files: { '$HOME/.zshenv': '$RUN\n', '$HOME/.zshrc': '$RUN\n' } },
  { name: 'a snapshot of the shell', also: `for f in $C/shell-snapshots/*; do printf '%s\\n' '$RUN' >> "$f"; done` },
  {
    name: 'an environment of the session',
    files: { '$C/session-env/$SID/sessionstart-hook-0.sh': '$RUN\n', '$C/session-env/$SID/setup-hook-0.sh': '$RUN\n' },
  },
  {
    name: 'programs beside the workspace',
    files: { ...script('/workspace/ls'), ...script('/workspace/git'), ...script('/workspace/cat') },
    also: executable('/workspace/ls /workspace/git /workspace/cat'),
  },
  {
    name: 'programs in the home directory',
    files: { ...script('$HOME/.local/bin/ls'), ...script('$HOME/bin/git') },
    also: executable('$HOME/.local/bin/ls $HOME/bin/git'),
  },
  {
    name: 'file system monitor of git',
    files: script('/workspace/.planted-monitor'),
    also: `${executable('/workspace/.planted-monitor')}; git -C /workspace config core.fsmonitor /workspace/.planted-monitor`,
  },
  {
    name: 'file system monitor for all repositories',
    files: script('/workspace/.planted-monitor-2'),
    also: `${executable('/workspace/.planted-monitor-2')}; git config --global core.fsmonitor /workspace/.planted-monitor-2`,
  },
  { name: 'hook of the index', files: hook('post-index-change'), also: executable('/workspace/.git/hooks/*') },
  {
    name: 'directory of hooks',
    files: script('/workspace/.planted-hooks/post-index-change'),
    also: `${executable('/workspace/.planted-hooks/*')}; git config --global core.hooksPath /workspace/.planted-hooks`,
  },
  {
    name: 'external diff of git',
    files: script('/workspace/.planted-diff'),
    also: `${executable('/workspace/.planted-diff')}; git -C /workspace config diff.external /workspace/.planted-diff`,
  },
  {
    name: 'driver of a diff',
    files: { ...script('/workspace/.planted-text'), '/workspace/.git/info/attributes': '* diff=planted\n' },
    also: `${executable('/workspace/.planted-text')}; git -C /workspace config diff.planted.textconv /workspace/.planted-text; git -C /workspace config diff.planted.command /workspace/.planted-text`,
  },
  {
    name: 'filter of git',
    files: { ...script('/workspace/.planted-filter'), '/workspace/.gitattributes': '* filter=planted\n' },
    also: `${executable('/workspace/.planted-filter')}; git -C /workspace config filter.planted.clean /workspace/.planted-filter; git -C /workspace config filter.planted.process /workspace/.planted-filter`,
  },
  {
    name: 'signatures of git',
    files: script('/workspace/.planted-gpg'),
    also: `${executable('/workspace/.planted-gpg')}; git -C /workspace config log.showSignature true; git -C /workspace config gpg.program /workspace/.planted-gpg`,
  },
  {
    name: 'pager of git',
    files: script('/workspace/.planted-pager'),
    also: `${executable('/workspace/.planted-pager')}; git -C /workspace config core.pager /workspace/.planted-pager; git -C /workspace config pager.status true`,
  },
  {
    name: 'included configuration of git',
    files: {
      ...script('/workspace/.planted-include'),
      '/workspace/.planted-config': '[core]\n\tfsmonitor = /workspace/.planted-include\n',
    },
    also: `${executable('/workspace/.planted-include')}; git -C /workspace config include.path /workspace/.planted-config`,
  },
  {
    name: 'configuration of npm',
    files: {
      '/workspace/.npmrc': 'node-options=--require /workspace/planted.cjs\nscript-shell=/workspace/.planted-shell\n',
      '$HOME/.npmrc': 'node-options=--require /workspace/planted.cjs\n',
      '/workspace/planted.cjs': 'require("node:fs").writeFileSync("/workspace/$MARK", "")\n',
    },
  },
  {
    name: 'configuration of yarn',
    files: {
      '/workspace/.yarnrc.yml': 'yarnPath: ./planted-yarn.cjs\n',
      '/workspace/.yarnrc': 'yarn-path "./planted-yarn.cjs"\n',
      '/workspace/planted-yarn.cjs': 'require("node:fs").writeFileSync("/workspace/$MARK", "")\n',
    },
  },
  {
    name: 'configuration of python',
    files: {
      '$HOME/.pip/pip.conf': '[global]\nindex-url = http://127.0.0.1:9\n',
      '/workspace/sitecustomize.py': 'open("/workspace/$MARK","w")\n',
      '$HOME/.config/pip/pip.conf': '[global]\nindex-url = http://127.0.0.1:9\n',
    },
  },
];
