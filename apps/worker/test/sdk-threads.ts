import { join } from 'node:path';
import type { ThreadSettings } from '../src/harness/agent-sdk/thread/thread-link';

const worker = { execArgv: ['-r', join(__dirname, 'register-typescript.cjs')] };

/** The SDK's thread from the sources, without a build. */
export const fromSources: ThreadSettings = { worker };

/** The same, failing in that way as soon as it comes to that stage. */
export function failingThread(stage: string, failure: string): ThreadSettings {
  return {
    maxHeapMb: 96,
    pingEveryMs: 250,
    file: join(__dirname, 'threads/failing-thread.cjs'),
    worker: { ...worker, workerData: { stage, failure } },
  };
}
