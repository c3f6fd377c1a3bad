import type { Session, UnstoredReason } from '@chirality/contracts';
import { Callout } from '../../../components/ui/callout';

const WHY: Record<UnstoredReason, string> = {
  failed: 'They could not be stored. The worker keeps them and tries again.',
  too_large: 'They are too large to be stored (over 256 MB that git does not ignore). The worker keeps them.',
};

/** Says that the newest files of a session are on one worker's disk alone. */
export function UnstoredNote({ unstored }: { unstored: Session['unstored'] }) {
  if (unstored === null) return null;
  return (
    <Callout tone="warn" role="status" className="mb-2" title="The newest files of this session are on one worker only">
      {WHY[unstored.reason]} If that worker’s disk is lost, they are lost. Download or push what you need.
    </Callout>
  );
}
