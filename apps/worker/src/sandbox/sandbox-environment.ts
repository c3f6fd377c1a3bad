import { whyNoVariableName } from '@chirality/domain';
import { isGatewayToken } from '../gateway/gateway-token';
import { INSIDE, INSIDE_INTERPRETERS } from './inside-paths';

/** Names that look like secrets. The one exception is the gateway's own token, which opens nothing but its turn. */
const SECRET_NAME = /(^|_)(SECRET|PASSWORD|PASSWD|CREDENTIALS?|KEY|TOKEN)$|^(DATABASE|REDIS|SMTP)_URL$/i;
const TOKEN_NAMES = new Set(['ANTHROPIC_API_KEY', 'ANTHROPIC_AUTH_TOKEN']);

/** Names that change how programs load or that mark a `claude` as started by another one. */
const HOST_NAME =
  /^(LD_.*|DYLD_.*|NODE_OPTIONS|NODE_PATH|BUN_.*|BASH_ENV|ENV|PYTHONSTARTUP|PERL5.*|SSH_.*|CLAUDECODE|CLAUDE_PID|CLAUDE_CODE_ENTRYPOINT|CLAUDE_CODE_SESSION_ID|CLAUDE_CODE_SSE_PORT|AI_AGENT|CHIRALITY_.*|PG.*)$/i;

/**
 * The environment of a sandboxed process: a fixed base plus what was passed, minus what must not be inside in any
 * case. `variables` are what an admin gave to the project: they may look like secrets, and may not shape the sandbox
 * or how programs load. Never reads this process's own environment.
 */
export function sandboxEnvironment(
  passed: Readonly<Record<string, string>>,
  variables: Readonly<Record<string, string>> = {},
): Record<string, string> {
  const base = {
    HOME: INSIDE.home,
    LANG: 'C.UTF-8',
    TMPDIR: INSIDE.temporary,
    SHELL: '/bin/bash',
    USER: 'agent',
    LOGNAME: 'agent',
    TERM: 'dumb',
    GIT_TERMINAL_PROMPT: '0',
  };
  const accepted = Object.entries(passed).filter(([name, value]) => mayEnter(name, value));
  const given = Object.entries(variables).filter(
    ([name, value]) => whyNoVariableName(name) === null && !value.includes('\0'),
  );
  return {
    ...base,
    ...Object.fromEntries(given),
    ...Object.fromEntries(accepted),
    PATH: `${INSIDE_INTERPRETERS}:/usr/local/bin:/usr/bin:/bin`,
  };
}

function mayEnter(name: string, value: string): boolean {
  if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name) || value.includes('\0')) return false;
  if (TOKEN_NAMES.has(name)) return isGatewayToken(value);
  return !SECRET_NAME.test(name) && !HOST_NAME.test(name);
}
