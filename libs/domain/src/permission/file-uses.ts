import { fileUse as use, HERE, type FileUse } from './file-use';
import { usesOfGit } from './git-uses';
import { profileOf, type PathOption } from './program-profiles';
import type { Run } from './shell/command-runs';
import type { ShellWord } from './shell/read-word';
import { SHELLS } from './shell/shells';

const SAYS_IT_INSTEAD = /^(?:-[A-Za-z]*[ef]|--regexp|--file|--expression|--from-file)/;
const LEAVES_OUT = /^--?(?:exclude|ignore|include|i?glob|type|color|colour)/;

/** The values of an option, however it is written. */
function valuesOf(args: readonly ShellWord[], [letter, long]: PathOption): ShellWord[] {
  return args.flatMap((word, at) => {
    const { text } = word;
    if (text.startsWith(`${long}=`)) return [{ ...word, text: text.slice(long.length + 1) }];
    const isNext = text === long || (/^-[A-Za-z]+$/.test(text) && text.endsWith(letter));
    if (isNext) return args.slice(at + 1, at + 2);
    return text.startsWith(`-${letter}`) ? [{ ...word, text: text.slice(2) }] : [];
  });
}
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
  const { valued, firstOperand } = profileOf(program);
  const operands: ShellWord[] = [];
  for (let at = 0; at < args.length; at += 1) {
    const word = args[at]!;
    if (word.text === '--') return [...operands, ...args.slice(at + 1)];
    if (valued?.test(word.text)) at += 1;
    else if (!word.text.startsWith('-') || word.text === '-') operands.push(word);
  }
  if (firstOperand === 'pattern' && !args.some(({ text }) => SAYS_IT_INSTEAD.test(text))) operands.shift();
  return operands;
}

function reads(run: Run): FileUse[] {
  const { program, args } = run;
  const profile = profileOf(program);
  const isKnown = profile.shows === 'contents';
  if (profile.shows === 'names' || (profile.changes && !isKnown)) return [];
  let operands = operandsOf(run);
  if (
    profile.putsLast &&
    operands.length > 1 &&
    !args.some(({ text }) => text.startsWith('-t') || text.startsWith('--target'))
  )
    operands = operands.slice(0, -1);
  // What is moved or linked is free of its old name.
  const what = profile.readsTrees?.(args) ? 'tree' : profile.readsWhole ? 'whole' : 'file';
  const found = operands.map((word) => use(word, 'read', what, isKnown));
  if (searchesHere(run, operands)) found.push(use(HERE, 'read', 'tree'));
  if (what === 'tree') for (const one of found) Object.assign(one, filterOf(run));
  return [...found, ...inOptions(args, isKnown), ...(isKnown && !profile.runsCode ? [] : inCode(args))];
}

/** Searches go through the current directory when they are given none. */
function searchesHere({ program, args, piped }: Run, operands: readonly ShellWord[]): boolean {
  const { searchesHere: searches, readsTrees, prefersPipe } = profileOf(program);
  if (operands.length > 0 || !searches || !readsTrees?.(args)) return false;
  return !(piped && prefersPipe) && !args.some(({ text }) => text === '--version' || text === '--help');
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
    ...(profileOf(program).skipsHidden && !seesHidden ? { skipsHidden: true } : {}),
  };
}

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
  const { changes: changesAll, firstOperand, putsLast, moves, copiesTrees, ...profile } = profileOf(program);
  const operands = operandsOf(run);
  const tree = moves || args.some(({ text }) => TAKES_TREES.test(text)) ? 'tree' : 'file';
  const file = profile.writesTo;
  const directory =
    program === 'tar' && !UNPACKS.test(args.map(({ text }) => text).join(' ')) ? undefined : profile.writesInto;
  const named = [
    ...(file ? valuesOf(args, file).map((word) => use(word, 'change')) : []),
    ...(directory ? valuesOf(args, directory).map((word) => use(word, 'change', 'tree')) : []),
  ];
  if (changesAll) return operands.slice(firstOperand === 'mode' ? 1 : 0).map((word) => use(word, 'change', tree));
  if (putsLast) {
    const target = args.flatMap((word, at) =>
      args[at - 1]?.text === '-t'
        ? [word]
        : /^--target-directory=/.test(word.text)
          ? [{ ...word, text: word.text.slice(word.text.indexOf('=') + 1) }]
          : [],
    )[0];
    const into = target ?? operands.at(-1);
    const from = target ? operands.filter((word) => word !== target) : operands.slice(0, -1);
    const moved = moves ? from.map((word) => use(word, 'change', 'tree')) : [];
    const takesTrees = copiesTrees || tree === 'tree' ? !moves : from.some(({ text }) => /\/\.?$|\*$/.test(text));
    return into
      ? [use(into, 'change', takesTrees ? 'tree' : 'whole'), ...moved, ...putInto(into, from, target !== undefined)]
      : moved;
  }
  if (program === 'dd')
    return args.flatMap((word) =>
      word.text.startsWith('of=') ? [use({ ...word, text: word.text.slice(3) }, 'change')] : [],
    );
  const inPlace = profile.changesInPlace;
  return inPlace && args.some(({ text }) => inPlace.by.test(text))
    ? [...named, ...operands.map((word) => use(word, 'change', inPlace.trees ? 'tree' : 'file'))]
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
  if (placeholder.length === 0 && inner.length === 0 && profileOf(args[at + 1]?.text ?? '').shows !== 'names')
    does.add('read');
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
