import type { DeviceRequest } from '@chirality/contracts';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { SelectField } from '../../../components/form/field';
import { FailureText } from '../../../components/text/failure-text';
import { Button } from '../../../components/ui/button';
import { Callout } from '../../../components/ui/callout';
import { formatAgo } from '../../../lib/format/time';
import { useMinute } from '../../../lib/state/use-now';
import { revealInProse } from '../../../lib/text/reveal';
import { meQuery } from '../../access/access.api';
import { useAnswerDeviceRequest } from '../device.api';
import { tokenSummary } from '../token-summary';

type Decision = 'allow' | 'deny';

function Fact({ name, children }: { name: string; children: string }) {
  return (
    <div className="flex flex-wrap gap-x-3 px-4 py-2">
      <dt className="w-24 shrink-0 text-muted">{name}</dt>
      <dd className="min-w-0 flex-1 wrap-anywhere">{children}</dd>
    </div>
  );
}

/** Who asks, from where and for what; and the answer. */
export function DeviceRequestView({
  request,
  userCode,
  onAnswered,
}: {
  request: DeviceRequest;
  userCode: string;
  onAnswered: (decision: Decision) => void;
}) {
  const me = useQuery(meQuery).data;
  const teams = (me?.teams ?? []).filter(({ role }) => role !== 'viewer');
  const [chosen, setTeamId] = useState<string | null>(null);
  const teamId = chosen ?? teams[0]?.id ?? null;
  const answer = useAnswerDeviceRequest();
  const ago = formatAgo(request.requestedAt, useMinute());
  const decide = (decision: Decision) =>
    answer.mutate(decision === 'allow' ? { userCode, decision, teamId: teamId ?? '' } : { userCode, decision }, {
      onSuccess: () => onAnswered(decision),
    });
  const claims = request.commands === null ? {} : { commands: request.commands };
  const days = request.lifetimeDays;
  return (
    <div className="stack gap-5">
      <dl className="divide-y divide-line rounded-lg border border-line bg-surface text-sm shadow-card">
        <Fact name="Program">{revealInProse(request.clientName)}</Fact>
        <Fact name="Address">{request.address ?? 'unknown'}</Fact>
        {request.userAgent !== null && <Fact name="Calls itself">{revealInProse(request.userAgent)}</Fact>}
        <Fact name="Asked">{/^\d/.test(ago) ? `${ago} ago` : ago}</Fact>
      </dl>
      <Callout title="What it will be able to do">
        <ul aria-label="What it will be able to do" className="list-disc ps-4 text-sm">
          {tokenSummary({ identityClass: 'human', mayMint: false, claims }, (id) => id).map((sentence) => (
            <li key={sentence}>{sentence}</li>
          ))}
          <li>{days === 1 ? 'Lasts one day.' : `Lasts ${days} days.`} You can revoke it in Settings at any time.</li>
        </ul>
      </Callout>
      {teams.length > 1 && (
        <SelectField label="Team" value={teamId ?? ''} onChange={(event) => setTeamId(event.target.value)}>
          {teams.map((team) => (
            <option key={team.id} value={team.id}>
              {team.name}
            </option>
          ))}
        </SelectField>
      )}
      {me !== undefined && teams.length === 0 && (
        <Callout tone="bad" role="status" title="You can’t allow programs">
          You only view in your teams. Ask an admin for another role.
        </Callout>
      )}
      <p className="text-sm text-muted">
        Allow it only if you started this sign-in yourself. If someone sent you the code, deny it.
      </p>
      {answer.isError && (
        <Callout tone="bad" role="alert">
          <FailureText error={answer.error} />
        </Callout>
      )}
      <div className="flex gap-3">
        <Button
          variant="primary"
          size="large"
          className="flex-1"
          disabled={teamId === null}
          busy={answer.isPending && answer.variables.decision === 'allow'}
          onClick={() => decide('allow')}
        >
          Allow
        </Button>
        <Button
          size="large"
          className="flex-1"
          busy={answer.isPending && answer.variables.decision === 'deny'}
          onClick={() => decide('deny')}
        >
          Deny
        </Button>
      </div>
    </div>
  );
}
