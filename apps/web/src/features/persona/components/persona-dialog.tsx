import type { PersonaDetail } from '@chirality/contracts';
import { diffTexts } from '@chirality/domain';
import { useQuery } from '@tanstack/react-query';
import { Button } from '../../../components/ui/button';
import { Callout } from '../../../components/ui/callout';
import { Dialog } from '../../../components/overlay/dialog';
import { QueryGate } from '../../../components/ui/query-gate';
import { SkeletonRows } from '../../../components/ui/skeleton';
import { messageOf } from '../../../lib/http/api-error';
import { DiffView } from '../../../components/diff/diff-view';
import { personaQuery, useApprovePersona, useRevokeApproval } from '../persona.api';
import { ORIGIN_NAMES } from '../persona-names';
import { PersonaFacts } from './persona-facts';
import { WideningTable } from './widening-table';

type Props = { projectId: string; personaKey: string; mayApprove: boolean; onClose: () => void };

/** A persona's whole text and, for one of the project's files, what approving it would change. */
export function PersonaDialog({ projectId, personaKey, mayApprove, onClose }: Props) {
  const persona = useQuery(personaQuery(projectId, personaKey));
  const approve = useApprovePersona({ projectId, key: personaKey }, onClose);
  const revoke = useRevokeApproval({ projectId, key: personaKey }, onClose);
  const failure = approve.error ?? revoke.error;
  const detail = persona.data;
  const isOwn = detail?.origin === 'project';
  return (
    <Dialog
      wide
      open
      onOpenChange={(open) => !open && onClose()}
      title={detail?.name ?? personaKey}
      description={
        detail === undefined
          ? ' '
          : `${ORIGIN_NAMES[detail.origin]}${detail.file === null ? '' : ` · ${detail.file}`}${detail.version === null ? '' : ` · version ${detail.version}`}`
      }
      footer={
        isOwn &&
        mayApprove && (
          <>
            {detail.approval !== null && (
              <Button variant="danger" busy={revoke.isPending} onClick={() => revoke.mutate()}>
                Revoke approval
              </Button>
            )}
            {detail.approval === null && detail.contentHash !== null && (
              <Button
                variant="primary"
                busy={approve.isPending}
                onClick={() => approve.mutate(detail.contentHash ?? '')}
              >
                Approve this text
              </Button>
            )}
          </>
        )
      }
    >
      <QueryGate query={persona} pending={<SkeletonRows count={3} className="h-12 rounded-lg" />}>
        {(loaded) => <Body persona={loaded} failure={failure === null ? null : messageOf(failure)} />}
      </QueryGate>
    </Dialog>
  );
}

function Body({ persona, failure }: { persona: PersonaDetail; failure: string | null }) {
  const { origin, approval, narrowed, options, text, approvedText } = persona;
  return (
    <div className="stack gap-4">
      {failure !== null && (
        <Callout tone="bad" role="alert">
          {failure}
        </Callout>
      )}
      {origin === 'project' && approval === null && (
        <Callout tone="warn" title="This version of the file is not approved">
          Until then it may only take tools away and shorten turns, and its text is put before the model as untrusted.
          An approval holds for this very text; a change of the file ends it.
        </Callout>
      )}
      {narrowed.length > 0 && <WideningTable narrowed={narrowed} />}
      {narrowed.length === 0 && <PersonaFacts options={options} />}
      {approvedText !== null && approval === null && (
        <section>
          <h3 className="pb-1.5 text-sm font-semibold">What changed since it was approved last</h3>
          <DiffView
            patch={diffTexts(persona.file, approvedText, text)}
            className="max-h-72 rounded-lg border border-line"
          />
        </section>
      )}
      <section>
        <h3 className="pb-1.5 text-sm font-semibold">The whole file</h3>
        <pre
          tabIndex={0}
          className="max-h-80 overflow-auto rounded-lg border border-line bg-sunken p-3 font-mono text-sm whitespace-pre-wrap wrap-anywhere"
        >
          {text}
        </pre>
      </section>
    </div>
  );
}
