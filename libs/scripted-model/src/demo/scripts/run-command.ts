import { message, text, toolUse, type Reply } from '../../api/reply';
import type { Conversation, ToolCall } from '../../conversation/conversation';
import { offer, quoted } from '../phrases';
import type { Script } from '../script';
import { callsOf, listedFiles, listFiles, wasDenied } from '../tool-calls';

const SAMPLE = 'echo "Hello from the sandbox" > hello.txt && cat hello.txt';
const FAILING = 'ls /there/is/no/such/directory';
const CHANGES = /\bwhat (?:has |was )?changed\b|\bgit (?:status|diff)\b/i;
const TESTS: readonly (readonly [RegExp, string])[] = [
  [/^package\.json$/, 'npm test'],
  [/^(pyproject\.toml|setup\.py|pytest\.ini)$|(^|\/)test_\w+\.py$/, 'python3 -m pytest -q'],
  [/^Cargo\.toml$/, 'cargo test'],
  [/^go\.mod$/, 'go test ./...'],
  [/^[Mm]akefile$/, 'make test'],
];

/** Runs what was named, the project's tests, or a harmless sample; says honestly how it ended. */
export const runCommand: Script = {
  name: 'run-command',
  fits: ({ asked, tools }) =>
    tools.has('Bash') && (/\b(run|execute)\b|^\s*`[^`]+`\s*$|\bcommand\b/i.test(asked) || CHANGES.test(asked)),
  play: (conversation) => {
    const command = commandOf(conversation);
    if (command === 'look')
      return message(text('I will see how this project runs its tests.'), listFiles(conversation));
    if (command === null)
      return message(text(`I found nothing that says how this project is tested. ${offer('run', 'create')}`));
    const done = callsOf(conversation, 'Bash').find((call) => call.input['command'] === command);
    return done ? report(command, done) : start(command);
  },
};

function commandOf(conversation: Conversation): string | null | 'look' {
  const { asked } = conversation;
  const quotedCommand = /`([^`]+)`/.exec(asked)?.[1] ?? /\b(?:run|execute)\s+["“]([^"”]+)["”]/i.exec(asked)?.[1];
  if (quotedCommand !== undefined) return quotedCommand.trim();
  if (CHANGES.test(asked)) return 'git status --short && git diff --stat';
  if (/\bfail/i.test(asked)) return FAILING;
  if (/\btests?\b/i.test(asked) && !/\bnpm test\b/.test(asked)) {
    const files = listedFiles(conversation);
    if (files === null) return conversation.calls.length === 0 ? 'look' : null;
    return TESTS.find(([pattern]) => files.some((file) => pattern.test(file)))?.[1] ?? null;
  }
  const rest =
    /\b(?:run|execute)\s+(?:the command\s+)?(.+?)[.!?]?\s*(?:please)?[.!]?$/i
      .exec(asked.split('\n')[0] ?? '')?.[1]
      ?.trim() ?? '';
  return /^(?:a|an|the|some|something|any|it|this|that|command)\b/i.test(rest) || rest === '' ? SAMPLE : rest;
}

function start(command: string): Reply {
  return message(
    text(
      command === SAMPLE
        ? 'I will run a small command that writes a file. It changes something, so you will be asked first.'
        : `I will run \`${command.replaceAll('`', '')}\`.`,
    ),
    toolUse('Bash', {
      command,
      description: command === SAMPLE ? 'Write a greeting to a file and show it' : 'Run the command that was asked for',
    }),
  );
}

function report(command: string, { result }: ToolCall): Reply {
  const output = result?.text ?? '';
  if (wasDenied({ name: 'Bash', input: {}, result })) {
    return message(
      text(
        `That was not allowed, so nothing was run.\n\n> ${output.replace(/\s+/g, ' ').slice(0, 300)}\n\nThis is how a denial reaches the model: with its reason, and the work continues. ${offer('explain', 'plan')}`,
      ),
    );
  }
  if (result?.isError) {
    return message(
      text(
        `The command failed. This is what it said:\n\n${quoted(output)}\n\nA real model would now look for the cause; I only follow a script, so I stop here. ${offer('explain', 'edit')}`,
      ),
    );
  }
  const shown =
    output.trim() === ''
      ? 'It printed nothing, which for this command means that all went well.'
      : `It printed:\n\n${quoted(output)}`;
  const changed = command === SAMPLE ? '\n\nThe file `hello.txt` is new; you see it in the diff.' : '';
  return message(text(`The command ran to its end. ${shown}${changed}\n\n${offer('edit', 'plan')}`));
}
