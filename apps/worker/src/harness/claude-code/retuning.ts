import type { RetuneFailure, Tuning } from '../harness';
import type { ControlChannel } from './control-channel';
import { isSameModel, OPEN_MODELS, plain } from './mapper/init-comparison';

/** A process has to confirm the change by then: a new one takes little more. */
const PATIENCE_MS = 1_500;

/**
 * Switches the program to another model or mode. Its answer counts only where it names what it continues with, and
 * that is what it was asked for: a name that leaves the choice to the program cannot be held against its answer. A
 * model that it does not know it would ask the service for, with no account to bill before the turn: that is a
 * refusal.
 */
export async function retune(
  channel: Pick<ControlChannel, 'request'>,
  { model, permissionMode }: Partial<Tuning>,
): Promise<RetuneFailure | null> {
  if (model !== undefined && OPEN_MODELS.has(plain(model))) return 'retune_refused';
  const told: Promise<boolean>[] = [];
  if (model !== undefined)
    told.push(
      tell(channel, { subtype: 'set_model', model }, (response) =>
        isNamed(response['model'], (name) => isSameModel(model, name)),
      ),
    );
  if (permissionMode !== undefined)
    told.push(
      tell(channel, { subtype: 'set_permission_mode', mode: permissionMode }, (response) =>
        isNamed(response['mode'], (name) => name === permissionMode),
      ),
    );
  let timer: NodeJS.Timeout | undefined;
  const unanswered = new Promise<'retune_unanswered'>(
    (resolve) => (timer = setTimeout(() => resolve('retune_unanswered'), PATIENCE_MS)),
  );
  const answered = Promise.all(told).then((done) => (done.every(Boolean) ? null : ('retune_refused' as const)));
  return Promise.race([answered, unanswered]).finally(() => clearTimeout(timer));
}

async function tell(
  channel: Pick<ControlChannel, 'request'>,
  request: Record<string, unknown>,
  isDone: (response: Record<string, unknown>) => boolean,
): Promise<boolean> {
  const answer = await channel.request(request);
  return answer.ok && isDone(answer.response);
}

function isNamed(value: unknown, isRight: (name: string) => boolean): boolean {
  return typeof value === 'string' && isRight(value);
}
