import type { PermissionItem } from '@chirality/domain';
import { Bot } from 'lucide-react';
import { UntrustedText } from '../../../components/text/untrusted-text';

/** Which sub-agent asks, and what it was sent to do. */
export function SubAgentLine({ item }: { item: PermissionItem }) {
  const { agent } = item;
  if (agent == null) return null;
  return (
    <p className="flex items-start gap-2 px-4 pb-2 text-sm text-muted">
      <Bot size={14} aria-hidden="true" className="mt-0.5 shrink-0 text-faint" />
      <span className="min-w-0 wrap-anywhere">
        Asked by the sub-agent{' '}
        {agent.task !== '' && (
          <>
            “<UntrustedText text={agent.task} mode="prose" />”
          </>
        )}
        {agent.type !== '' && (
          <>
            {' '}
            (<UntrustedText text={agent.type} mode="prose" />)
          </>
        )}
      </span>
    </p>
  );
}
