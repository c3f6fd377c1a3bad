import { INSIDE } from './claude-environment';

/** What a conversation consists of. All else in the configuration directory the program makes again when it starts. */
export const KEPT_CONFIG = ['projects', 'plans', 'tasks', 'todos', 'file-history'] as const;

const SEALED_DIRECTORIES = [
  // Modules that run inside the program and can overrule the answer of our callback.
  ...['dev-mods', 'plugins', 'cowork_plugins', 'hooks'],
  // Scripts that it puts in front of every shell command; without the second it starts a login shell instead.
  ...['session-env', 'shell-snapshots'],
  // Definitions that become instructions, tools or agents.
  ...['skills', 'commands', 'agents', 'output-styles', 'rules', 'workflows', 'agent-memory', 'themes'],
  // Work that it would take up without being asked to.
  ...['jobs', 'teams', 'daemon'],
];

const SEALED_FILES = [
  'settings.json',
  'settings.local.json',
  'remote-settings.json',
  'managed-settings.json',
  'CLAUDE.md',
  'loop.md',
  'keybindings.json',
  '.config.json',
  '.mcp.json',
];

/** What a shell runs when it starts or ends: one command must not put itself in front of the next. */
const SHELL_FILES = [
  '.bashrc',
  '.bash_profile',
  '.bash_login',
  '.bash_logout',
  '.profile',
  '.zshenv',
  '.zprofile',
  '.zshrc',
  '.zlogin',
];

/**
 * What the program would load from its configuration directory, where the agent may write: it finds these empty and
 * nothing can be put there, so a file planted by one command changes no later one. The same holds for the shell.
 */
export const SEALED_CONFIG = {
  directories: SEALED_DIRECTORIES.map((name) => `${INSIDE.config}/${name}`),
  files: [
    ...SEALED_FILES.map((name) => `${INSIDE.config}/${name}`),
    ...SHELL_FILES.map((name) => `${INSIDE.home}/${name}`),
  ],
};
