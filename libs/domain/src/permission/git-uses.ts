import { fileUse as use, HERE, words, type FileUse } from './file-use';
import type { Run } from './shell/command-runs';

const GIT_SHOWS = words('show blame annotate cat-file diff log whatchanged archive format-patch grep');
const GIT_CHANGES = words('rm mv restore clean stash');
const SHOWS_NO_CONTENT = /^--(?:stat|shortstat|numstat|dirstat|summary|name-only|name-status|oneline)/;
const SHOWS_PATCH = /^(?:-[pu]|-[GSL].*|--patch|--full-diff)$/;

/** What git does to files that it is given: those it shows, and those whose text it changes in the workspace. */
export function usesOfGit({ args }: Run): FileUse[] {
  const at = args.findIndex(
    ({ text }, index) =>
      !text.startsWith('-') && !/^(?:-[cC]|--git-dir|--work-tree|--namespace)$/.test(args[index - 1]?.text ?? ''),
  );
  const subcommand = args[at]?.text ?? '';
  const rest = args.slice(at + 1);
  const dashes = rest.findIndex(({ text }) => text === '--');
  const operands = rest.filter(({ text }, index) => !text.startsWith('-') || (dashes >= 0 && index > dashes));
  const isOnlyStaged =
    rest.some(({ text }) => /^(?:--staged|-S|--cached)$/.test(text)) &&
    !rest.some(({ text }) => /^(?:--worktree|-W)$/.test(text));
  if (GIT_CHANGES.has(subcommand) && isOnlyStaged) return [];
  if (subcommand === 'clean' && operands.length === 0) return [use(HERE, 'change', 'tree')];
  if (GIT_CHANGES.has(subcommand)) return operands.map((word) => use(word, 'change', 'tree'));
  if (subcommand === 'checkout')
    return (dashes >= 0 ? rest.slice(dashes + 1) : operands).map((word) =>
      use(word, 'change', dashes >= 0 || word.text === '.' ? 'tree' : 'whole'),
    );
  if (
    !GIT_SHOWS.has(subcommand) ||
    rest.some(({ text }) => SHOWS_NO_CONTENT.test(text) && !rest.some((other) => SHOWS_PATCH.test(other.text)))
  )
    return [];
  if (subcommand === 'log' && !rest.some(({ text }) => SHOWS_PATCH.test(text))) return [];
  if (subcommand === 'grep') {
    const paths = dashes >= 0 ? rest.slice(dashes + 1) : operands.slice(1);
    return paths.length === 0 ? [use(HERE, 'read', 'tree')] : paths.map((word) => use(word, 'read', 'tree'));
  }
  return operands.map((word) => use({ ...word, text: word.text.slice(word.text.indexOf(':') + 1) }, 'read', 'whole'));
}
