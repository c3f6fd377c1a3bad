import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const PACKAGE = '@anthropic-ai/claude-agent-sdk';

/** The version of the installed Agent SDK, which is an optional dependency; null without it. */
export function sdkVersion(): string | null {
  try {
    const { version } = JSON.parse(
      readFileSync(join(dirname(require.resolve(PACKAGE)), 'package.json'), 'utf8'),
    ) as Record<string, unknown>;
    return typeof version === 'string' ? version : null;
  } catch {
    return null;
  }
}
