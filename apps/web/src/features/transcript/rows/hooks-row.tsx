import type { HookView, HooksItem } from '@chirality/domain';
import { Anchor } from 'lucide-react';
import { formatDuration } from '../../../lib/format/duration';
import { NameText } from '../../../components/text/untrusted-text';

const DECISIONS: Record<NonNullable<HookView['decision']>, string> = {
  allow: 'allowed',
  ask: 'asked',
  deny: 'denied',
  block: 'blocked',
};

/** What is worth a word before the list is opened: that something was not let pass. */
function summary({ hooks, count }: HooksItem): string {
  const stopped = hooks.filter(({ decision }) => decision === 'deny' || decision === 'block').length;
  const all = count === 1 ? `Hook ${hooks[0]?.name ?? ''}` : `${count} hooks`;
  return stopped === 0 ? all : `${all}, ${stopped} not allowed`;
}

/** Hooks that fired one after the other, out of the way until they are looked at. */
export function HooksRow({ item }: { item: HooksItem }) {
  return (
    <details className="px-2 text-xs text-faint">
      <summary className="flex min-h-6 w-fit cursor-pointer items-center gap-1.5 rounded hover:text-muted">
        <Anchor size={12} aria-hidden="true" />
        {summary(item)}
      </summary>
      <ol className="mb-1 ml-1.5 border-l border-line pl-3">
        {item.hooks.map((hook, at) => (
          <li key={at} className="flex flex-wrap gap-x-2 py-0.5">
            <span className="font-mono text-muted">
              <NameText text={hook.name} />
            </span>
            {hook.decision !== null && <span>{DECISIONS[hook.decision]}</span>}
            {hook.agent !== null && (
              <span>
                in <NameText text={hook.agent} />
              </span>
            )}
            <span className="tabular-nums">{formatDuration(hook.elapsedMs)}</span>
          </li>
        ))}
        {item.count > item.hooks.length && <li className="py-0.5">and {item.count - item.hooks.length} more</li>}
      </ol>
    </details>
  );
}
