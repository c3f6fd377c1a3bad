import { useEffect, useState } from 'react';
import type { LiveSession } from './live-session';
import { statusText } from './status-text';
import { Words } from './words';

/** Four times a second at most, however fast costs arrive. */
const EVERY_MS = 250;

export function StatusLine({ live, colour }: { live: LiveSession; colour: boolean }) {
  const [text, setText] = useState(() => statusText(live.session.title, live.snapshot()));
  useEffect(() => {
    const timer = setInterval(() => setText(statusText(live.session.title, live.snapshot())), EVERY_MS);
    return () => clearInterval(timer);
  }, [live]);
  return <Words {...(colour ? { dimColor: true } : {})}>{text}</Words>;
}
