import { activityOf } from '@chirality/domain';
import { Text } from 'ink';
import { useEffect, useState } from 'react';
import { oneLine } from '../text/safe-text';
import type { LiveSession, Snapshot } from './live-session';

/** Four times a second at most, however fast costs arrive. */
const EVERY_MS = 250;

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

function money(text: string | null): string {
  const number = Number(text ?? 0);
  return `$${number < 0.995 ? number.toFixed(4) : number.toFixed(2)}`;
}

/** Session, model, cost of turn and session, and what is happening, on one row. */
function statusText(title: string | null, now: Snapshot): string {
  const activity = now.active === null ? null : activityOf(now.active);
  const parts = [
    now.isConnected ? null : 'reconnecting…',
    activity === null ? 'ready' : (DOING[activity.doing] ?? activity.doing),
    now.active?.model ?? now.model,
    now.active === null ? null : `turn ${money(now.active.costUsd)}`,
    `session ${money(now.costUsd)}`,
    oneLine(title ?? 'Untitled'),
  ];
  return parts.filter((part) => part !== null).join(' · ');
}

export function StatusLine({ live, colour }: { live: LiveSession; colour: boolean }) {
  const [text, setText] = useState(() => statusText(live.session.title, live.snapshot()));
  useEffect(() => {
    const timer = setInterval(() => setText(statusText(live.session.title, live.snapshot())), EVERY_MS);
    return () => clearInterval(timer);
  }, [live]);
  return (
    <Text wrap="truncate-end" {...(colour ? { dimColor: true } : {})}>
      {text}
    </Text>
  );
}
