import { activityOf } from '@chirality/domain';
import { oneLine, safe, safeText, type SafeText } from '../text/safe-text';
import type { Snapshot } from './live-session';

const DOING: Record<string, string> = {
  queued: 'queued',
  starting: 'starting',
  'waiting-for-model': 'waiting for the model',
  retrying: 'trying again',
  thinking: 'thinking',
  answering: 'answering',
  'using-tools': 'using tools',
  'waiting-for-person': 'waits for your answer',
  finishing: 'finishing',
};

function money(text: string | null): SafeText {
  const number = Number(text ?? 0);
  return safeText(`$${number < 0.995 ? number.toFixed(4) : number.toFixed(2)}`);
}

/** Session, model, cost of turn and session, and what is happening, on one row. */
export function statusText(
  title: string | null,
  now: Pick<Snapshot, 'active' | 'model' | 'costUsd' | 'isConnected'>,
): SafeText {
  const activity = now.active === null ? null : activityOf(now.active);
  const model = now.active?.model ?? now.model;
  const parts = [
    now.isConnected ? null : safe`reconnecting…`,
    oneLine(activity === null ? 'ready' : (DOING[activity.doing] ?? activity.doing)),
    model === null ? null : oneLine(model),
    now.active === null ? null : safe`turn ${money(now.active.costUsd)}`,
    safe`session ${money(now.costUsd)}`,
    oneLine(title ?? 'Untitled'),
  ];
  return safeText(parts.filter((part) => part !== null).join(' · '));
}
