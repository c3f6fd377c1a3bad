import type { Session } from '@chirality/contracts';
import { Callout } from '../../../components/ui/callout';

/** Says that a program began the session, and what that means for the people in it. */
export function AgentNote({ startedBy }: { startedBy: Session['startedBy'] }) {
  if (startedBy.identityClass === 'human') return null;
  const name = startedBy.tokenName === null ? 'an agent' : `the agent “${startedBy.tokenName}”`;
  return (
    <Callout role="status" className="mb-2" title={`Started by ${name}`}>
      Its permission requests need a person. A request that no one answers is denied after a minute.
    </Callout>
  );
}
