import type { Options, SessionMode } from '@chirality/contracts';

/** What holds where nothing was chosen: a workbench asks, a pipeline never waits and starts each turn afresh. */
export function BUILT_IN_OPTIONS(mode: SessionMode): Options {
  return {
    model: 'sonnet',
    maxTurns: 25,
    permissionMode: mode === 'pipeline' ? 'dontAsk' : 'default',
    tools: 'default',
    strict: false,
    timeoutMs: 30 * 60_000,
    context: mode === 'pipeline' ? 'fresh' : 'resume',
  };
}
