import { quote } from '../host/apt.mjs';

/**
 * @typedef {object} TurnRow
 * @property {string} id
 * @property {string} sessionId
 * @property {number} attempt
 * @property {string} status
 * @property {string | null} model
 * @property {string | null} claudeVersion
 * @property {string} launch a Launch as JSON
 *
 * @typedef {object} Launch
 * @property {string} program
 * @property {string[]} args
 * @property {string[]} environment the names of its variables
 * @property {string} promptHash
 */

/** Where the prompt lies in the sandbox: elsewhere it is a file of the one who runs the call. */
const PROMPT_INSIDE = '/opt/chirality/prompt.md';

/**
 * What each variable is outside of the sandbox, as shell text.
 * @type {Map<string, string | null>}
 */
const VALUES = new Map([
  ['ANTHROPIC_API_KEY', '"$ANTHROPIC_API_KEY"'],
  // The gateway is there only inside; without these the program calls its own service, or the address given here.
  ['ANTHROPIC_BASE_URL', '"${ANTHROPIC_BASE_URL:-https://api.anthropic.com}"'],
  ['ANTHROPIC_UNIX_SOCKET', null],
  ['CLAUDE_CONFIG_DIR', '"$CONFIG"'],
  ['HOME', '"$CONFIG"'],
  ['PATH', '"$PATH"'],
  ['TMPDIR', '/tmp'],
]);

/** Constant in every call; a value that is not known is taken from the shell that runs it. */
const SWITCH = /^(DISABLE_|CLAUDE_CODE_(DISABLE|ENABLE)_)/;

/**
 * The call as a shell script that can be run as it is, with the facts about it as comments before it. No secret is in
 * it: the key, and the values of the project's variables, come from the shell.
 * @param {TurnRow} turn
 */
export function describeLaunch(turn) {
  /** @type {Launch} */
  const { program, args, environment, promptHash } = JSON.parse(turn.launch);
  const facts = [
    `${turn.id} of ${turn.sessionId}, attempt ${turn.attempt}, ${turn.status}`,
    `claude ${turn.claudeVersion ?? '(version unknown)'}, model ${turn.model ?? '(unknown)'}`,
    `PROMPT is a file with the appended prompt (SHA-256 ${promptHash}): turns/${turn.id}/prompt.md in the blob store, or GET /v1/sessions/${turn.sessionId}/turns/${turn.id}/prompt. Without it there is none.`,
    'WORKSPACE and CONFIG are the session’s workspace and its Claude configuration; without them both are new and empty. MESSAGE is what is sent.',
    'It runs here without a sandbox: what the program does, it does to this machine.',
    ...(args.includes('--resume')
      ? [`It continued the conversation ${args[args.indexOf('--resume') + 1]}; here it begins a new one.`]
      : []),
  ];
  const preparation = [
    ': "${ANTHROPIC_API_KEY:?set it to a key of the model service}" "${WORKSPACE:=$(mktemp -d)}" "${CONFIG:=$(mktemp -d)}" "${PROMPT:=/dev/null}" "${MESSAGE:=Hello}"',
    'cd "$WORKSPACE"',
  ];
  const message = `node -e 'console.log(JSON.stringify({ type: "user", message: { role: "user", content: process.argv[1] } }))' "$MESSAGE"`;
  const variables = environment
    .toSorted()
    .map(assignment)
    .filter((text) => text !== null);
  const words = [
    `"\${CLAUDE:-${program}}"`,
    ...withoutResume(args).map((word) => (word === PROMPT_INSIDE ? '"$PROMPT"' : shellWord(word))),
  ];
  return [
    ...facts.map((fact) => `# ${oneLine(fact)}`),
    ...preparation,
    `${message} | env -i \\`,
    ...variables.map((text) => `  ${text} \\`),
    `  ${words.join(' ')}`,
    '',
  ].join('\n');
}

/** @param {string} name */
function assignment(name) {
  if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) return null;
  const known = VALUES.get(name);
  const value = known === undefined ? `"\${${name}:-${SWITCH.test(name) ? '1' : ''}}"` : known;
  return value === null ? null : `${name}=${value}`;
}

/**
 * A program wrote parts of it, and what follows a line end would be run.
 * @param {string} text
 */
function oneLine(text) {
  return text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ');
}

/** @param {string[]} args */
function withoutResume(args) {
  const at = args.indexOf('--resume');
  return at < 0 ? args : [...args.slice(0, at), ...args.slice(at + 2)];
}

/** @param {string} word */
function shellWord(word) {
  return /^[A-Za-z0-9_./:=,@%+-]+$/.test(word) ? word : quote(word);
}
