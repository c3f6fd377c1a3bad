import { quote } from './apt.mjs';

const LEFT_OUT = '<left out>';

/**
 * The call as a shell command, with the facts needed to run it by hand as comments before it.
 * @param turn a row with id, sessionId, attempt, status, model, claudeVersion and launch: `{ program, args, environment, promptHash }` as JSON
 */
export function describeLaunch(turn) {
  const { program, args, environment, promptHash } = JSON.parse(turn.launch);
  const facts = [
    `${turn.id} of ${turn.sessionId}, attempt ${turn.attempt}, ${turn.status}`,
    `claude ${turn.claudeVersion ?? '(version unknown)'}, model ${turn.model ?? '(unknown)'}`,
    `The appended prompt (SHA-256 ${promptHash}) is kept as turns/${turn.id}/prompt.md in the blob store; GET /v1/sessions/${turn.sessionId}/turns/${turn.id}/prompt answers it.`,
    'It ran in the sandbox: /workspace is the session’s workspace, /config its Claude configuration. The message went to standard input as one line of stream-json.',
  ];
  const variables = environment.toSorted().map((name) => `  ${name}=${quote(LEFT_OUT)} \\\n`).join('');
  return `${facts.map((fact) => `# ${fact}\n`).join('')}env -i \\\n${variables}  ${[program, ...args].map(shellWord).join(' ')}\n`;
}

function shellWord(word) {
  return /^[A-Za-z0-9_./:=,@%+-]+$/.test(word) ? word : quote(word);
}
