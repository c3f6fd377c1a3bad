import type { SessionStatus } from '@chirality/contracts';
import { Archive, Hand } from 'lucide-react';
import { Badge } from '../../../components/ui/badge';

/** `mayAnswer`: whether it is this person that a request may wait for. */
export function SessionStatusBadge({ status, mayAnswer = true }: { status: SessionStatus; mayAnswer?: boolean }) {
  switch (status) {
    case 'running':
      return (
        <Badge tone="accent">
          <span aria-hidden="true" className="size-1.5 animate-breathe rounded-full bg-accent" /> Running
        </Badge>
      );
    case 'waiting':
      return (
        <Badge tone="warn">
          <Hand size={12} aria-hidden="true" /> {mayAnswer ? 'Waiting for you' : 'Waiting for an answer'}
        </Badge>
      );
    case 'archived':
      return (
        <Badge>
          <Archive size={12} aria-hidden="true" /> Archived
        </Badge>
      );
    default:
      return null;
  }
}
