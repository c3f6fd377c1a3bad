import { programFile } from '../../sandbox/host/program-file';
import type { AgentProgram } from '../../sandbox/agent-program';
import { SandboxUnavailableError } from '../../sandbox/sandbox.types';

/** Where `claude` is inside every sandbox, on every machine. */
export const CLAUDE_PROGRAM = '/opt/claude/claude';

/**
 * The program that sandboxes show; `configured`: its path, where it is not the one of the installed platform package.
 */
export function claudeProgram(configured: string | null = null): AgentProgram {
  return {
    name: 'claude',
    inside: CLAUDE_PROGRAM,
    interpreters: '/opt/claude/bin',
    ownVariables: [
      'CLAUDECODE',
      'CLAUDE_PID',
      'CLAUDE_CODE_ENTRYPOINT',
      'CLAUDE_CODE_SESSION_ID',
      'CLAUDE_CODE_SSE_PORT',
      'AI_AGENT',
    ],
    tokenVariables: ['ANTHROPIC_API_KEY', 'ANTHROPIC_AUTH_TOKEN'],
    locate: () => programFile(configured || installedClaude(), 'claude'),
  };
}

function installedClaude(): string {
  const name = `@anthropic-ai/claude-code-${process.platform}-${process.arch}`;
  try {
    return require.resolve(`${name}/claude`);
  } catch {
    throw new SandboxUnavailableError(
      `The package ${name} is not installed. Run npm install, or set CHIRALITY_CLAUDE_PATH.`,
    );
  }
}
