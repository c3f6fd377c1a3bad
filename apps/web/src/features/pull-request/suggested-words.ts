import { headOf } from '@chirality/domain';

/** What a session did. */
export type SessionFacts = {
  commits: readonly string[];
  files: readonly { path: string; additions: number; deletions: number }[];
  totalFiles: number;
};

const MAX_COMMITS = 30;
const MAX_FILES = 50;
const MAX_TITLE = 250;
const UNTITLED = 'New session';

/** The session's title, or what its first commit says where no one named it. */
export function suggestedTitle(sessionTitle: string, { commits }: SessionFacts): string {
  const title = sessionTitle === UNTITLED ? (commits.at(-1) ?? '') : sessionTitle;
  return headOf(title.replace(/\s+/g, ' ').trim(), MAX_TITLE);
}

/** Commits, changed files and a way back to the session, in Markdown; nothing of what people asked for. */
export function suggestedBody({ commits, files, totalFiles }: SessionFacts, link: string): string {
  const rest = totalFiles - Math.min(files.length, MAX_FILES);
  const parts = [
    commits.length > 0 &&
      list('Commits', commits.toReversed().slice(0, MAX_COMMITS).map(inLine), commits.length - MAX_COMMITS),
    files.length > 0 &&
      list(
        'Changed files',
        files
          .slice(0, MAX_FILES)
          .map(({ path, additions, deletions }) => `${code(path)} (+${additions} −${deletions})`),
        rest,
      ),
    `[Session in Chirality](${link})`,
  ];
  return parts.filter((part) => part !== false).join('\n\n');
}

/** What people asked for, as a separate part that can be added to the words and taken out again. */
export function askedForPart(prompts: readonly string[]): string {
  return `## Asked for\n\n${prompts.map(quoted).join('\n\n')}`;
}

function list(heading: string, lines: readonly string[], more: number): string {
  const all = [...lines, ...(more > 0 ? [`and ${more} more`] : [])];
  return `## ${heading}\n\n${all.map((line) => `- ${line}`).join('\n')}`;
}

/** A code span that a backtick in the text does not end. */
function code(text: string): string {
  const longest = Math.max(0, ...(text.match(/`+/g) ?? []).map((run) => run.length));
  const fence = '`'.repeat(longest + 1);
  return longest === 0 ? `${fence}${inLine(text)}${fence}` : `${fence} ${inLine(text)} ${fence}`;
}

function quoted(text: string): string {
  return text
    .trim()
    .split('\n')
    .map((line) => `> ${line}`)
    .join('\n');
}

function inLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
