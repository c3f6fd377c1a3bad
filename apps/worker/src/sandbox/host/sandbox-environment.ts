import { whyNoVariableName } from '@chirality/domain';
import { isGatewayToken } from '../../gateway/gateway-token';
import type { AgentProgram } from '../agent-program';
import { INSIDE } from '../inside-paths';

/** Names that look like secrets. The one exception is the gateway's token, which opens nothing but its turn. */
const SECRET_NAME = /(^|_)(SECRET|PASSWORD|PASSWD|CREDENTIALS?|KEY|TOKEN)$|^(DATABASE|REDIS|SMTP)_URL$/i;

/** Names that change how programs load. */
const HOST_NAME =
  /^(LD_.*|DYLD_.*|NODE_OPTIONS|NODE_PATH|BUN_.*|BASH_ENV|ENV|PYTHONSTARTUP|PERL5.*|SSH_.*|CHIRALITY_.*|PG.*)$/i;

type ProgramNames = Pick<AgentProgram, 'interpreters' | 'ownVariables' | 'tokenVariables'>;

/**
 * The environment of a sandboxed process: a fixed base plus what was passed, minus what must not be inside in any
 * case. `variables` are what an admin gave to the project: they may look like secrets, and may not shape the sandbox
 * or how programs load. Never reads this process's own environment.
 */
export function sandboxEnvironment(
  program: ProgramNames,
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
  const accepted = Object.entries(passed).filter(([name, value]) => mayEnter(program, name, value));
  const given = Object.entries(variables).filter(
    ([name, value]) => whyNoVariableName(name) === null && !value.includes('\0'),
  );
  return {
    ...base,
    ...Object.fromEntries(given),
    ...Object.fromEntries(accepted),
    PATH: `${program.interpreters}:/usr/local/bin:/usr/bin:/bin`,
  };
}

function mayEnter({ ownVariables, tokenVariables }: ProgramNames, name: string, value: string): boolean {
  if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name) || value.includes('\0')) return false;
  if (tokenVariables.includes(name)) return isGatewayToken(value);
  return !SECRET_NAME.test(name) && !HOST_NAME.test(name) && !ownVariables.includes(name.toUpperCase());
}
