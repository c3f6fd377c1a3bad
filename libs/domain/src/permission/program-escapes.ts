import type { ShellWord } from './shell/read-word';

type Escapes = {
  /** Options, whole or abbreviated or with "=value" or a value attached, that run another program or write anywhere. */
  options?: readonly string[];
  /** First arguments that do. */
  subcommands?: readonly string[];
  /** Starts of any argument that do. */
  starts?: readonly string[];
  /** Any `NAME=value` among its arguments does. */
  sets?: true;
};

/** Those that neither write configuration nor take a command to run. */
const GIT_SUBCOMMANDS = new Set(
  [
    'add am apply blame branch cat-file check-ignore checkout cherry cherry-pick clean commit count-objects describe diff',
    'diff-files diff-index diff-tree fetch for-each-ref format-patch fsck gc grep init log ls-files ls-remote ls-tree merge',
    'merge-base mv name-rev notes pull push range-diff rebase reflog remote reset restore rev-list rev-parse revert rm',
    'shortlog show show-ref sparse-checkout stash status switch symbolic-ref tag version whatchanged worktree --version',
  ].flatMap((line) => line.split(' ')),
);
const GIT_GLOBALS_WITH_VALUE = new Set(['-c', '-C', '--git-dir', '--work-tree', '--namespace']);
const GIT_HARMLESS_GLOBALS = new Set(['--no-pager', '--no-optional-locks']);

const ESCAPES: Readonly<Record<string, Escapes>> = {
  git: {
    options: [
      ...[
        '--exec',
        '--upload-pack',
        '--receive-pack',
        '--ext-diff',
        '--textconv',
        '--filters',
        '--open-files-in-pager',
        '-O',
        '--output',
        '--output-directory',
      ],
      ...[
        '--extcmd',
        '--tool',
        '--template',
        '--config-env',
        '--config',
        '--separate-git-dir',
        '--exec-path',
        '--git-dir',
        '--work-tree',
      ],
    ],
    starts: ['ext::', 'fd::'],
  },
  find: { options: ['-exec', '-execdir', '-ok', '-okdir', '-delete', '-fprint', '-fprint0', '-fprintf', '-fls'] },
  fd: { options: ['-x', '-X', '--exec', '--exec-batch'] },
  rg: { options: ['--pre', '--hostname-bin'] },
  sort: { options: ['-o', '--output', '--compress-program', '-T', '--temporary-directory'] },
  tree: { options: ['-o', '--output', '-R'] },
  tar: {
    options: [
      '--to-command',
      '--checkpoint-action',
      '-I',
      '--use-compress-program',
      '--rsh-command',
      '--rmt-command',
      '-F',
      '--info-script',
      '--new-volume-script',
      '-P',
    ],
  },
  zip: { options: ['-TT', '--unzip-command'] },
  rsync: { options: ['-e', '--rsh', '--rsync-path'] },
  // A makefile from the standard input is a program, as is what is set over its variables.
  make: { options: ['--eval', '-E', '--file', '--makefile', '-f', '-C', '--directory'], sets: true },
  npm: {
    subcommands: ['exec', 'x', 'explore', 'config', 'c', 'set', 'edit', 'init', 'innit', 'create'],
    options: ['--script-shell', '--node-options', '--prefix', '-C', '--userconfig', '--globalconfig'],
  },
  pnpm: { subcommands: ['exec', 'dlx', 'config', 'c', 'create'], options: ['--dir', '-C'] },
  yarn: { subcommands: ['exec', 'dlx', 'config', 'create'], options: ['--cwd'] },
  // Its options may have one dash or two.
  go: {
    options: [
      '-exec',
      '--exec',
      '-toolexec',
      '--toolexec',
      '-overlay',
      '--overlay',
      '-vettool',
      '--vettool',
      '-C',
      '--C',
      '-modfile',
      '--modfile',
    ],
  },
  cargo: { options: ['--config', '--manifest-path', '-C'] },
  docker: { options: ['--privileged'] },
};

/**
 * Whether the arguments after the first `literal` words, which a rule did not spell out, could make a well-known
 * program run something else. Programs that are not listed are taken at the rule's word.
 */
export function mayRunSomethingElse(words: readonly ShellWord[], literal: number): boolean {
  const program = words[0]?.text ?? '';
  const escapes = ESCAPES[program];
  if (!escapes) return false;
  if (program === 'git' && gitRefuses(words, literal)) return true;
  const open = words.slice(Math.max(literal, 1));
  if (open.some((word) => hidesAnOption(word) || isAmong(word.text, escapes))) return true;
  if (literal > 1) return false;
  const first = words[1]?.text ?? '';
  // Its first argument may be options without their dash.
  if (program === 'tar') return isAmong(`-${first}`, escapes);
  return escapes.subcommands !== undefined && isOpenSubcommand(first, words.length > 2, escapes.subcommands);
}

/**
 * A subcommand may be shortened, and stand behind options, which may have values: what stands there cannot be known.
 */
function isOpenSubcommand(first: string, hasMore: boolean, subcommands: readonly string[]): boolean {
  if (first.startsWith('-')) return hasMore;
  return subcommands.some((one) => one === first || (first.length > 1 && one.startsWith(first)));
}

/** File names take the place of a leading wildcard, and one of them may look like an option. */
function hidesAnOption(word: ShellWord): boolean {
  return word.expands && /^[*?[]/.test(word.text);
}

function isAmong(text: string, { options = [], starts = [], sets }: Escapes): boolean {
  if (sets && /^[\w.-]+[:+?!]*=/.test(text)) return true;
  if (starts.some((start) => text.startsWith(start))) return true;
  if (!text.startsWith('-')) return false;
  return options.some((option) => isFormOf(text, option));
}

function isFormOf(text: string, option: string): boolean {
  if (option.startsWith('--')) {
    const name = text.split('=')[0] ?? '';
    return name.length > 2 && name.startsWith('--') && option.startsWith(name);
  }
  if (option.length > 2) return text === option || text.startsWith(`${option}=`);
  const isCluster = /^-[A-Za-z0-9]/.test(text);
  return isCluster && text.slice(1).includes(option.charAt(1));
}

/** Before its subcommand git takes options that set its configuration, and an unknown subcommand may be an alias. */
function gitRefuses(words: readonly ShellWord[], literal: number): boolean {
  const texts = words.map((word) => word.text);
  let at = 1;
  while (at < literal && texts[at]?.startsWith('-')) at += GIT_GLOBALS_WITH_VALUE.has(texts[at] ?? '') ? 2 : 1;
  while (GIT_HARMLESS_GLOBALS.has(texts[at] ?? '')) at += 1;
  const subcommand = texts[at];
  if (subcommand !== undefined && at >= literal && !GIT_SUBCOMMANDS.has(subcommand)) return true;
  const open = texts.slice(Math.max(literal, at + 1));
  if (subcommand === 'clone') return open.some((text) => /^-(?:[a-z]*[cu]|-[cut])/.test(text));
  if (subcommand === 'rebase' || subcommand === 'difftool') return open.some((text) => /^-[a-zA-Z]*x/.test(text));
  return false;
}
