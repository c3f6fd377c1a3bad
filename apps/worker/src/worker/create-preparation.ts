import { join } from 'node:path';
import { AttachmentRepository, ProjectVariableRepository, ToolCallRepository } from '@chirality/database';
import type { Config, Logger } from '@chirality/platform';
import { AttachmentDelivery } from '../attachment/attachment-delivery';
import { ProjectSetup } from '../prepare/project-setup';
import { TurnPreparation } from '../prepare/turn-preparation';
import { TurnPreparer } from '../prepare/turn-preparer';
import { ProjectVariables } from '../project/project-variables';
import type { PromptAssembler } from '../prompt/prompt-assembler';
import { PromptFiles } from '../prompt/prompt-files';
import type { Network } from './create-network';
import type { Pooling } from './create-processes';
import type { Sandboxing } from './create-sandboxing';
import type { WorkerDisk } from './create-session-disk';
import type { Storage } from './create-storage';

const SETUP_MS = 10 * 60_000;

/** What makes a turn ready to be served. */
export function createPreparation(
  config: Config,
  { database, blobs, secrets }: Storage,
  { sandbox, harnesses }: Sandboxing,
  { accounts, egress }: Network,
  { pool }: Pooling,
  { disk }: WorkerDisk,
  prompts: PromptAssembler,
  log: Logger,
): TurnPreparation {
  const calls = new ToolCallRepository(database);
  const files = new PromptFiles(join(config.dataDir, 'prompts'));
  const variables = new ProjectVariables(new ProjectVariableRepository(database), secrets);
  const delivery = new AttachmentDelivery(new AttachmentRepository(database), blobs, sandbox);
  const preparer = new TurnPreparer(disk, prompts, secrets, calls, blobs, files, harnesses, sandbox, delivery, log);
  const setupMs = config.testLimits['setupMs'] ?? SETUP_MS;
  const setup = new ProjectSetup(sandbox, egress, (sessionId) => pool.evict(sessionId), setupMs, log);
  return new TurnPreparation(accounts, variables, preparer, setup, disk);
}
