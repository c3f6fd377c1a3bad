import { message, text, type Reply } from '../../api/reply';
import type { Conversation } from '../../conversation/conversation';
import { baseName, extensionOf, offer } from '../phrases';
import type { Script } from '../script';
import { callsOf, listedFiles, listFiles, read, readText, wasDenied } from '../tool-calls';

const LANGUAGES: Readonly<Record<string, string>> = {
  ts: 'TypeScript',
  tsx: 'TypeScript',
  js: 'JavaScript',
  mjs: 'JavaScript',
  jsx: 'JavaScript',
  py: 'Python',
  go: 'Go',
  rs: 'Rust',
  java: 'Java',
  kt: 'Kotlin',
  rb: 'Ruby',
  php: 'PHP',
  c: 'C',
  h: 'C',
  cpp: 'C++',
  cs: 'C#',
  swift: 'Swift',
  sh: 'Shell',
  html: 'HTML',
  css: 'CSS',
  sql: 'SQL',
  md: 'Markdown',
};
const WORTH_READING = [
  /^readme(\.\w+)?$/i,
  /^package\.json$/,
  /^pyproject\.toml$/,
  /^cargo\.toml$/i,
  /^go\.mod$/,
  /^pom\.xml$/,
  /^makefile$/i,
  /^(main|index|app)\.\w+$/,
];
const MAX_READS = 3;

/** Looks at what is there, reads the telling files side by side, and sums up. */
export const explainProject: Script = {
  name: 'explain-project',
  fits: ({ asked }) =>
    /\b(explain|describe|summari[sz]e|overview|understand|tour)\b|\bwhat (is|does|are)\b.*\b(this|here|project|repo|code)|\b(look|report) (at|on|around)\b/i.test(
      asked,
    ),
  play: (conversation) => {
    if (conversation.calls.length === 0)
      return message(text('I will look at what is here first.'), listFiles(conversation));
    const files = listedFiles(conversation);
    if (files === null) return withoutListing(conversation);
    const reads = callsOf(conversation, 'Read');
    const worthReading = tellingFiles(files);
    if (reads.length === 0 && worthReading.length > 0) {
      const names = worthReading.map((file) => `\`${file}\``).join(', ');
      return message(
        text(
          `There ${files.length === 1 ? 'is one file' : `are ${files.length} files`}. ${names} should tell the most.`,
        ),
        ...worthReading.map((file) => read(conversation, file)),
      );
    }
    return message(text(summary(conversation, files)));
  },
};

function withoutListing({ calls }: Conversation): Reply {
  return message(
    text(
      wasDenied(calls[0])
        ? 'I was not allowed to list the files, so I cannot say what this project is. Allow the command, or ask me for one file by its name.'
        : `Listing the files did not work:\n\n> ${(calls[0]?.result?.text ?? 'no result').slice(0, 300)}`,
    ),
  );
}

function tellingFiles(files: readonly string[]): string[] {
  const ranked = WORTH_READING.flatMap((pattern) => {
    const matching = files.filter((file) => pattern.test(baseName(file)));
    return matching.sort((a, b) => a.split('/').length - b.split('/').length).slice(0, 1);
  });
  const unique = [...new Set(ranked)];
  return (unique.length > 0 ? unique : files.slice(0, 1)).slice(0, MAX_READS);
}

function summary(conversation: Conversation, files: readonly string[]): string {
  if (files.length === 0) return `This project is still empty. ${offer('create', 'plan')}`;
  const readme = callsOf(conversation, 'Read').find((call) => /readme/i.test(String(call.input['file_path'])));
  const paragraph = firstParagraph(readText(readme));
  const sections = [
    `## ${titleOf(readText(readme)) ?? 'This project'}`,
    paragraph ?? 'There is no README that says what it is for, so this is read from the files alone.',
    countsByLanguage(files),
    `**Where to start:** ${tellingFiles(files)
      .map((file) => `\`${file}\``)
      .join(', ')}.`,
    scripts(conversation),
    `*I am the demo model: this summary is put together by rules, from files that were really read.* ${offer('edit', 'run')}`,
  ];
  return sections.filter((section) => section !== '').join('\n\n');
}

function titleOf(markdown: string): string | null {
  return /^#\s+(.+)$/m.exec(markdown)?.[1]?.trim() ?? null;
}

function firstParagraph(markdown: string): string | null {
  const paragraph = markdown
    .split(/\n\s*\n/)
    .map((part) => part.trim())
    .find((part) => /^[A-Za-z*`"“(]/.test(part));
  return paragraph === undefined ? null : paragraph.replace(/\s+/g, ' ').slice(0, 600);
}

function countsByLanguage(files: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const file of files) {
    const language = LANGUAGES[extensionOf(file)] ?? 'other';
    counts.set(language, (counts.get(language) ?? 0) + 1);
  }
  const rows = [...counts].sort((a, b) => b[1] - a[1]).map(([language, count]) => `| ${language} | ${count} |`);
  return ['| Language | Files |', '|---|---:|', ...rows].join('\n');
}

function scripts(conversation: Conversation): string {
  const manifest = callsOf(conversation, 'Read').find((call) =>
    String(call.input['file_path']).endsWith('package.json'),
  );
  const names = [
    ...(/"scripts"\s*:\s*\{([^}]*)\}/.exec(readText(manifest))?.[1]?.matchAll(/"([\w:-]+)"\s*:/g) ?? []),
  ].map((match) => `\`npm run ${match[1]}\``);
  return names.length === 0 ? '' : `**Commands it has:** ${names.slice(0, 8).join(', ')}.`;
}
