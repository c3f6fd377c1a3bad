/** The version of Claude Code that everything here was tested with; another one is a warning, never a refusal. */
export const TESTED_CLAUDE_VERSION = '2.1.332';
