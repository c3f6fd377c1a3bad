import { fileUse as use, HERE, words, type FileUse } from './file-use';
import { usesOfGit } from './git-uses';
import type { Run } from './shell/command-runs';
import type { ShellWord } from './shell/read-word';
import { SHELLS } from './shell/shells';

/** Programs that show nothing of what is in the files they are given, but at most names. */
const TELLS_NAMES = words(
  'ls pwd echo printf stat du df test [ basename dirname realpath readlink which whereis type cd pushd popd rm rmdir unlink mkdir touch chmod chown chgrp kill pkill sleep true false',
);
const READS = words(
  'cat tac head tail less more most nl od xxd hexdump strings base64 base32 sort uniq cut paste comm diff cmp wc md5sum sha1sum sha256sum sha512sum cksum rev fold expand unexpand column bat view vim vi nano ed ex source . sh bash zsh dash ksh node python python3 ruby perl php zip gzip bzip2 xz file fmt pr look shuf split csplit iconv openssl gpg envsubst jq yq grep egrep fgrep rg ag ack sed awk gawk tar tee dd curl cp mv ln install rsync scp',
);
/** Their first operand says what to look for or what to do, unless one of these options does. */
const FIRST_IS_NO_PATH = words('grep egrep fgrep rg ag ack sed awk gawk jq yq');
const SAYS_IT_INSTEAD = /^(?:-[A-Za-z]*[ef]|--regexp|--file|--expression|--from-file)/;
/** Options whose value is the next word, which is no path. */
const VALUED = new Map<string, RegExp>([
  ...'grep egrep fgrep'.split(' ').map((name): [string, RegExp] => [name, /^-[A-Za-z]*[ABCmdDe]$/]),
  ...'rg ag ack'
    .split(' ')
    .map((name): [string, RegExp] => [
      name,
      /^(?:-[A-Za-z]*[ABCmgtTjMdEre]|--(?:type|type-not|glob|iglob|context|max-count|replace|regexp|sort|max-depth))$/,
    ]),
  ...'head tail'.split(' ').map((name): [string, RegExp] => [name, /^-[nc]$/]),
  ['sort', /^-[ktSTo]$/],
  ['cut', /^-[dfcb]$/],
  ['sed', /^-[A-Za-z]*[el]$/],
  ['awk', /^-[Fv]$/],
  ['gawk', /^-[Fv]$/],
  ['git', /^-[cC]$/],
  ['tar', /^-[A-Za-z]*[fC]$/],
]);
const LEAVES_OUT = /^--?(?:exclude|ignore|include|i?glob|type|color|colour)/;

/** Programs that change every file they are given, and those whose first operand is none. */
const CHANGES = words(
  'black isort ruff rustfmt autopep8 yapf patch tee rm rmdir unlink shred touch truncate mkdir chmod chown chgrp gzip gunzip bzip2 bunzip2 xz unxz sponge ed ex vi vim nano',
);
const FIRST_IS_A_MODE = words('chmod chown chgrp');
const PUTS_LAST = words('cp install ln rsync scp mv');
/** Options of a program that name what it writes: the letter, and the long one. */
const WRITES_TO = new Map<string, [letter: string, long: string]>([
  ['curl', ['o', '--output']],
  ['wget', ['O', '--output-document']],
  ['sort', ['o', '--output']],
]);
/** And into which directory. */
const WRITES_INTO = new Map<string, [letter: string, long: string]>([
  ['wget', ['P', '--directory-prefix']],
  ['unzip', ['d', '--extract-dir']],
  ['tar', ['C', '--directory']],
]);

/** The values of an option, however it is written. */
function valuesOf(args: readonly ShellWord[], [letter, long]: readonly [string, string]): ShellWord[] {
  return args.flatMap((word, at) => {
    const { text } = word;
    if (text.startsWith(`${long}=`)) return [{ ...word, text: text.slice(long.length + 1) }];
    const isNext = text === long || (/^-[A-Za-z]+$/.test(text) && text.endsWith(letter));
    if (isNext) return args.slice(at + 1, at + 2);
    return text.startsWith(`-${letter}`) ? [{ ...word, text: text.slice(2) }] : [];
  });
}
const CHANGES_IN_PLACE = new Map<string, RegExp>([
  ...'sed perl ruby'.split(' ').map((name): [string, RegExp] => [name, /^-[A-Za-z0-9]*i|^--in-place/]),
  ['yq', /^-i|^--inplace/],
  ['awk', /^-i/],
  ['gawk', /^-i/],
  ['gofmt', /^-w/],
  ['prettier', /^(?:-w|--write)$/],
  ['eslint', /^--fix/],
]);
const DEEPEST = 5;
const TAKES_TREES = /^-[A-Za-z]*[rR]|^--recursive/;

/** What one run of a program does to files, as far as its arguments tell. */
export function usesOf(run: Run): FileUse[] {
  const uses = usesOfProgram(run);
  return run.certain ? uses : uses.map((one) => ({ ...one, sure: false }));
}

/** `depth`: so many programs started each other; further on nothing is known of what they do. */
function usesOfProgram(run: Run, depth = 0): FileUse[] {
  const { program } = run;
  if (depth > DEEPEST)
    return (['read', 'change'] as const).flatMap((does) => run.args.map((word) => use(word, does, 'whole', false)));
  if (program === 'git') return usesOfGit(run);
  if (program === 'npx' || program === 'pnpx' || program === 'bunx')
    return usesOfProgram({ ...run, ...programOf(run.args) }, depth + 1);
  if ((program === 'npm' || program === 'pnpm' || program === 'yarn') && run.args[0]?.text === 'exec')
    return usesOfProgram({ ...run, ...programOf(run.args.slice(1)) }, depth + 1);
  if (program === 'find' || program === 'fd' || program === 'fdfind') return usesOfFind(run, depth);
  return [...changes(run), ...reads(run)];
}

function programOf(args: readonly ShellWord[]): Pick<Run, 'program' | 'args'> {
  const at = args.findIndex(({ text }) => !text.startsWith('-'));
  return at < 0
    ? { program: '', args: [] }
    : {
        program:
          args[at]!.text.replace(/(?<=.)@[^/]*$/, '')
            .split('/')
            .pop() ?? '',
        args: args.slice(at + 1),
      };
}

/** What is neither an option nor the value of one. */
function operandsOf({ program, args }: Run): ShellWord[] {
  const valued = VALUED.get(program);
  const operands: ShellWord[] = [];
  for (let at = 0; at < args.length; at += 1) {
    const word = args[at]!;
    if (word.text === '--') return [...operands, ...args.slice(at + 1)];
    if (valued?.test(word.text)) at += 1;
    else if (!word.text.startsWith('-') || word.text === '-') operands.push(word);
  }
  if (FIRST_IS_NO_PATH.has(program) && !args.some(({ text }) => SAYS_IT_INSTEAD.test(text))) operands.shift();
  return operands;
}

function reads(run: Run): FileUse[] {
  const { program, args } = run;
  if (TELLS_NAMES.has(program) || (CHANGES.has(program) && !READS.has(program))) return [];
  const isKnown = READS.has(program);
  let operands = operandsOf(run);
  if (
    PUTS_LAST.has(program) &&
    operands.length > 1 &&
    !args.some(({ text }) => text.startsWith('-t') || text.startsWith('--target'))
  )
    operands = operands.slice(0, -1);
  // What is moved or linked is free of its old name.
  const what = READS_TREES.get(program)?.(args) ? 'tree' : program === 'mv' || program === 'ln' ? 'whole' : 'file';
  const found = operands.map((word) => use(word, 'read', what, isKnown));
  if (searchesHere(run, operands)) found.push(use(HERE, 'read', 'tree'));
  if (what === 'tree') for (const one of found) Object.assign(one, filterOf(run));
  return [...found, ...inOptions(args, isKnown), ...(isKnown && !RUNS_CODE.has(program) ? [] : inCode(args))];
}

/** When a program reads whatever is below the directories that it is given. */
const READS_TREES = new Map<string, (args: readonly ShellWord[]) => boolean>([
  ...'rg ag ack rsync'.split(' ').map((name): [string, () => boolean] => [name, () => true]),
  ...'grep egrep fgrep'
    .split(' ')
    .map((name): [string, (args: readonly ShellWord[]) => boolean] => [
      name,
      (args) => args.some(({ text }) => /^-[A-Za-df-z0-9]*[rRd]|^--(?:r|dereference-r|dir)/.test(text)),
    ]),
  ...'cp scp zip'
    .split(' ')
    .map((name): [string, (args: readonly ShellWord[]) => boolean] => [
      name,
      (args) => args.some(({ text }) => /^-[A-Za-z]*[rRa]|^--(?:recursive|archive)/.test(text)),
    ]),
  ['diff', (args) => args.some(({ text }) => /^-[A-Za-z]*r|^--recursive/.test(text))],
  [
    'tar',
    (args) =>
      /^-?[A-Za-z]*[cru]/.test(args[0]?.text ?? '') ||
      args.some(({ text }) => /^--(?:create|append|update)/.test(text)),
  ],
]);
const SEARCHES_BY_ITSELF = words('rg ag ack grep egrep fgrep');

/** Searches go through the current directory when they are given none. */
function searchesHere({ program, args, piped }: Run, operands: readonly ShellWord[]): boolean {
  if (operands.length > 0 || !SEARCHES_BY_ITSELF.has(program) || !READS_TREES.get(program)?.(args)) return false;
  return !(piped && program.endsWith('g')) && !args.some(({ text }) => text === '--version' || text === '--help');
}

/** What a search passes over. */
function filterOf({ program, args }: Run): Pick<FileUse, 'names' | 'skipsHidden'> {
  const kept = args.flatMap(({ text }, at) => {
    const name =
      /^--include=(.+)/.exec(text)?.[1] ??
      /^--i?glob=(.+)/.exec(text)?.[1] ??
      (/^(?:-g|--i?glob)$/.test(args[at - 1]?.text ?? '') ? text : undefined);
    return name === undefined || name.startsWith('!') ? [] : [name];
  });
  const seesHidden = args.some(({ text }) => /^(?:--hidden|--no-ignore|--unrestricted|-\.|-[A-Za-z]*u)/.test(text));
  return {
    ...(kept.length === 1 ? { names: kept[0]! } : {}),
    ...((program === 'rg' || program === 'ag') && !seesHidden ? { skipsHidden: true } : {}),
  };
}

/** Programs that run what an option says. */
const RUNS_CODE = words('node python python3 ruby perl php');

/** `--file=secret`, `-fsecret`, `@secret`, `if=secret`. */
function inOptions(args: readonly ShellWord[], isKnown: boolean): FileUse[] {
  return args.flatMap((word) => {
    const { text } = word;
    if (LEAVES_OUT.test(text)) return [];
    const after = /[=@](?=[^=@]*$)/.exec(text.replace(/;type=.*/, ''))?.index;
    const said =
      after !== undefined
        ? text.replace(/;type=.*/, '').slice(after + 1)
        : /^-[A-Za-z]./.test(text)
          ? text.slice(2)
          : '';
    return said === '' ? [] : [use({ ...word, text: said }, 'read', 'file', isKnown)];
  });
}

/** Words within a word, as of a program's text. */
function inCode(args: readonly ShellWord[]): FileUse[] {
  return args
    .flatMap(({ text }) => (/[\s"'()]/.test(text) ? text.split(/[\s"'`(),;]+/) : []))
    .filter(Boolean)
    .flatMap((text) =>
      (['read', 'change'] as const).map((does) => use({ text, expands: false, quoted: true }, does, 'file', false)),
    );
}

function changes(run: Run): FileUse[] {
  const { program, args } = run;
  const operands = operandsOf(run);
  const tree = program === 'mv' || args.some(({ text }) => TAKES_TREES.test(text)) ? 'tree' : 'file';
  const file = WRITES_TO.get(program);
  const directory =
    program === 'tar' && !UNPACKS.test(args.map(({ text }) => text).join(' ')) ? undefined : WRITES_INTO.get(program);
  const named = [
    ...(file ? valuesOf(args, file).map((word) => use(word, 'change')) : []),
    ...(directory ? valuesOf(args, directory).map((word) => use(word, 'change', 'tree')) : []),
  ];
  if (CHANGES.has(program))
    return operands.slice(FIRST_IS_A_MODE.has(program) ? 1 : 0).map((word) => use(word, 'change', tree));
  if (PUTS_LAST.has(program)) {
    const target = args.flatMap((word, at) =>
      args[at - 1]?.text === '-t'
        ? [word]
        : /^--target-directory=/.test(word.text)
          ? [{ ...word, text: word.text.slice(word.text.indexOf('=') + 1) }]
          : [],
    )[0];
    const into = target ?? operands.at(-1);
    const from = target ? operands.filter((word) => word !== target) : operands.slice(0, -1);
    const moved = program === 'mv' ? from.map((word) => use(word, 'change', 'tree')) : [];
    const takesTrees =
      program === 'rsync' || tree === 'tree' ? program !== 'mv' : from.some(({ text }) => /\/\.?$|\*$/.test(text));
    return into
      ? [use(into, 'change', takesTrees ? 'tree' : 'whole'), ...moved, ...putInto(into, from, target !== undefined)]
      : moved;
  }
  if (program === 'dd')
    return args.flatMap((word) =>
      word.text.startsWith('of=') ? [use({ ...word, text: word.text.slice(3) }, 'change')] : [],
    );
  const inPlace = CHANGES_IN_PLACE.get(program);
  return inPlace && args.some(({ text }) => inPlace.test(text))
    ? [
        ...named,
        ...operands.map((word) =>
          use(word, 'change', program === 'prettier' || program === 'eslint' ? 'tree' : 'file'),
        ),
      ]
    : named;
}

/** In a directory, under the names that they have; what names one says so, or takes several. */
function putInto(into: ShellWord, from: readonly ShellWord[], isDirectory: boolean): FileUse[] {
  const isSure = isDirectory || from.length > 1 || /(?:^|\/)\.{0,2}$/.test(into.text);
  if (!isSure && /\.\w+$/.test(into.text)) return [];
  return from.map((word) =>
    use({ ...into, text: `${into.text}/${word.text.split('/').pop() ?? ''}` }, 'change', 'whole', isSure),
  );
}

const UNPACKS = /^-?[A-Za-z]*x|(?:^| )(?:-[A-Za-z]*x|--extract|--get)/;

const STARTS_ANOTHER = /^(?:-exec|-execdir|-ok|-okdir|-x|-X|--exec|--exec-batch)$/;

/** Names alone, unless it hands what it finds to another program. */
function usesOfFind({ program, args, ...state }: Run, depth: number): FileUse[] {
  const from = startsOf(program, args);
  if (args.some(({ text }) => text === '-delete'))
    return from.map((word) => ({ ...use(word, 'change', 'tree'), ...namesOf(args) }));
  const at = args.findIndex(({ text }) => STARTS_ANOTHER.test(text));
  if (at < 0) return [];
  const filter = namesOf(args);
  const started = programOf(args.slice(at + 1));
  if (RUNS_TEXT.has(started.program))
    return from.flatMap((word) =>
      (['read', 'change'] as const).map((does) => ({ ...use(word, does, 'tree', false), ...filter })),
    );
  const isImplicit = program !== 'find' && !args.some(({ text }) => text.includes('{}'));
  const inner = usesOfProgram(
    { ...state, ...started, args: isImplicit ? [...started.args, { ...HERE, text: '{}' }] : started.args, fed: true },
    depth + 1,
  );
  const placeholder = inner.filter(({ path }) => path === '{}');
  const does = new Set<FileUse['does']>(placeholder.map((one) => one.does));
  if (placeholder.length === 0 && inner.length === 0 && !TELLS_NAMES.has(args[at + 1]?.text ?? '')) does.add('read');
  return [
    ...inner.filter(({ path }) => path !== '{}' && path !== '+' && path !== ';'),
    ...[...does].flatMap((one) => from.map((word) => ({ ...use(word, one, 'tree'), ...filter }))),
  ];
}

const RUNS_TEXT = new Set<string>([...SHELLS, 'eval']);

/** The names that a listing is about. */
export function namesOf(args: readonly ShellWord[]): Pick<FileUse, 'names'> {
  const named = args.filter(
    (_, at) => args[at - 1]?.text === '-name' && !/^(?:!|-not|-o|-or)$/.test(args[at - 2]?.text ?? ''),
  );
  return named.length === 1 && !args.some(({ text }) => text === '-o' || text === '-or')
    ? { names: named[0]!.text }
    : {};
}

/** Where a listing begins. */
export function startsOf(program: string, args: readonly ShellWord[]): ShellWord[] {
  const end = args.findIndex(({ text }) => text.startsWith('-') || text === '(' || text === '!');
  const operands = (end < 0 ? args : args.slice(0, end)).slice(program === 'fd' || program === 'fdfind' ? 1 : 0);
  return operands.length > 0 ? operands : [HERE];
}
