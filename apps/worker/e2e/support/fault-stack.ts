import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { installFakeClaude, OWNER, startStack, TestClient, type Stack, type StackOptions } from '@chirality/testing';

export type FaultStack = {
  stack: Stack;
  person: TestClient;
  projectId: string;
  /** The stand-in for `claude`, whose steps come with each message. */
  fakePath: string;
  /** Ends the worker and starts another on a separate disk with these variables besides the stack's. */
  replaceWorker(env: Record<string, string>): Promise<void>;
  stop(): Promise<void>;
};

export const limits = (milliseconds: Record<string, number>) => ({
  NODE_ENV: 'test',
  CHIRALITY_TEST_LIMITS: JSON.stringify(milliseconds),
});

/** The whole product with one person and one project. `fake`: the worker runs the stand-in from the start. */
export async function startFaultStack({
  fake = false,
  ...options
}: StackOptions & { fake?: boolean } = {}): Promise<FaultStack> {
  const directory = mkdtempSync(join('/tmp', 'chirality-fake-'));
  chmodSync(directory, 0o755);
  const fakePath = await installFakeClaude(directory);
  const stack = await startStack({
    ...options,
    env: { ...(fake ? { CHIRALITY_CLAUDE_PATH: fakePath } : {}), ...options.env },
  });
  const person = await TestClient.login(stack.url, OWNER.email, OWNER.password);
  const project = await person.createProject();
  return {
    stack,
    person,
    projectId: project.id,
    fakePath,
    replaceWorker: async (env) => {
      await Promise.all(stack.workers.map((worker) => worker.stop()));
      await stack.startWorker(env);
    },
    stop: async () => {
      await stack.stop();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
