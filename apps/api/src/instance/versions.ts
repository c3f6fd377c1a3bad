import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The version of Claude Code that this release is tested with: the one that it installs. */
export function testedClaudeVersion(repository: string): string {
  const { optionalDependencies = {} } = JSON.parse(readFileSync(join(repository, 'package.json'), 'utf8')) as {
    optionalDependencies?: Record<string, string>;
  };
  return (
    Object.entries(optionalDependencies).find(([name]) => name.startsWith('@anthropic-ai/claude-code-'))?.[1] ??
    'unknown'
  );
}

/** The version of Chirality itself. */
export function productVersion(repository: string): string {
  return (JSON.parse(readFileSync(join(repository, 'package.json'), 'utf8')) as { version: string }).version;
}
