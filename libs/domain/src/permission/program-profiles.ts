import type { ShellWord } from './shell/read-word';

/** An option that names a file or directory: its letter, and its long form. */
export type PathOption = readonly [letter: string, long: string];

/** What is known of how a program treats the files that it is given. */
interface ProgramProfile {
  /** What it shows of them: at most their names, or what is in them. */
  shows?: 'names' | 'contents';
  /** It changes each of them. */
  changes?: true;
  /** Its first operand is none: what to look for or to do, unless an option says that; or a mode. */
  firstOperand?: 'pattern' | 'mode';
  /** Options whose value is the next word, which is no path. */
  valued?: RegExp;
  /** Its last operand is where it puts the others. */
  putsLast?: true;
  /** What it puts there is gone from where it was. */
  moves?: true;
  /** The others are read as they are, directories too, and not what is below them. */
  readsWhole?: true;
  /** What it puts there are trees, whatever its options say. */
  copiesTrees?: true;
  /** The option that names a file that it writes. */
  writesTo?: PathOption;
  /** The option that names the directory into which it writes. */
  writesInto?: PathOption;
  /** The option with which it changes what it is given; `trees`: and all that is below. */
  changesInPlace?: { by: RegExp; trees?: true };
  /** When it reads all that is below the directories that it is given. */
  readsTrees?: (args: readonly ShellWord[]) => boolean;
  /** Without a path it searches the current directory. */
  searchesHere?: true;
  /** And then what is piped to it instead, if anything is. */
  prefersPipe?: true;
  /** Its search passes over hidden files. */
  skipsHidden?: true;
  /** It runs what an option says. */
  runsCode?: true;
}

const always = () => true;
const where =
  (pattern: RegExp) =>
  (args: readonly ShellWord[]): boolean =>
    args.some(({ text }) => pattern.test(text));

/** One row for each thing that programs have in common; a program's profile is made of all its rows. */
const ROWS: readonly (readonly [programs: string, profile: ProgramProfile])[] = [
  ['ls pwd echo printf stat du df test [ basename dirname realpath readlink which whereis type', { shows: 'names' }],
  ['cd pushd popd kill pkill sleep true false', { shows: 'names' }],
  ['rm rmdir unlink mkdir touch chmod chown chgrp', { shows: 'names', changes: true }],

  ['cat tac head tail less more most nl od xxd hexdump strings base64 base32 sort uniq cut', { shows: 'contents' }],
  ['paste comm diff cmp wc md5sum sha1sum sha256sum sha512sum cksum rev fold expand unexpand', { shows: 'contents' }],
  ['column bat view source . sh bash zsh dash ksh zip file fmt pr look shuf split csplit', { shows: 'contents' }],
  ['iconv openssl gpg envsubst jq yq sed awk gawk tar dd curl', { shows: 'contents' }],
  ['vi vim nano ed ex gzip bzip2 xz tee', { shows: 'contents', changes: true }],
  ['patch black isort ruff rustfmt autopep8 yapf shred truncate gunzip bunzip2 unxz sponge', { changes: true }],

  ['grep egrep fgrep rg ag ack', { shows: 'contents', firstOperand: 'pattern', searchesHere: true }],
  ['sed awk gawk jq yq', { firstOperand: 'pattern' }],
  ['chmod chown chgrp', { firstOperand: 'mode' }],
  ['rg ag', { prefersPipe: true, skipsHidden: true }],

  ['cp install ln rsync scp mv', { shows: 'contents', putsLast: true }],
  ['mv', { moves: true }],
  ['mv ln', { readsWhole: true }],
  ['rsync', { copiesTrees: true }],
  ['node python python3 ruby perl php', { shows: 'contents', runsCode: true }],

  ['grep egrep fgrep', { valued: /^-[A-Za-z]*[ABCmdDe]$/ }],
  [
    'rg ag ack',
    {
      valued:
        /^(?:-[A-Za-z]*[ABCmgtTjMdEre]|--(?:type|type-not|glob|iglob|context|max-count|replace|regexp|sort|max-depth))$/,
    },
  ],
  ['head tail', { valued: /^-[nc]$/ }],
  ['sort', { valued: /^-[ktSTo]$/, writesTo: ['o', '--output'] }],
  ['cut', { valued: /^-[dfcb]$/ }],
  ['sed', { valued: /^-[A-Za-z]*[el]$/ }],
  ['awk gawk', { valued: /^-[Fv]$/ }],
  ['git', { valued: /^-[cC]$/ }],
  ['tar', { valued: /^-[A-Za-z]*[fC]$/, writesInto: ['C', '--directory'] }],
  ['curl', { writesTo: ['o', '--output'] }],
  ['wget', { writesTo: ['O', '--output-document'], writesInto: ['P', '--directory-prefix'] }],
  ['unzip', { writesInto: ['d', '--extract-dir'] }],

  ['sed perl ruby', { changesInPlace: { by: /^-[A-Za-z0-9]*i|^--in-place/ } }],
  ['yq', { changesInPlace: { by: /^-i|^--inplace/ } }],
  ['awk gawk', { changesInPlace: { by: /^-i/ } }],
  ['gofmt', { changesInPlace: { by: /^-w/ } }],
  ['prettier', { changesInPlace: { by: /^(?:-w|--write)$/, trees: true } }],
  ['eslint', { changesInPlace: { by: /^--fix/, trees: true } }],

  ['rg ag ack rsync', { readsTrees: always }],
  ['grep egrep fgrep', { readsTrees: where(/^-[A-Za-df-z0-9]*[rRd]|^--(?:r|dereference-r|dir)/) }],
  ['cp scp zip', { readsTrees: where(/^-[A-Za-z]*[rRa]|^--(?:recursive|archive)/) }],
  ['diff', { readsTrees: where(/^-[A-Za-z]*r|^--recursive/) }],
  [
    'tar',
    {
      readsTrees: (args) => /^-?[A-Za-z]*[cru]/.test(args[0]?.text ?? '') || where(/^--(?:create|append|update)/)(args),
    },
  ],
];

const PROFILES = new Map<string, ProgramProfile>();
for (const [programs, row] of ROWS)
  for (const program of programs.split(' ')) PROFILES.set(program, { ...PROFILES.get(program), ...row });

const UNKNOWN: ProgramProfile = {};

/** An empty one of a program that is not known. */
export function profileOf(program: string): ProgramProfile {
  return PROFILES.get(program) ?? UNKNOWN;
}
