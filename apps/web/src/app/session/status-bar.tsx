import type { PermissionMode, Session } from '@chirality/contracts';
import { activeTurnOf, knownCost, modelName, type TranscriptState } from '@chirality/domain';
import { useQuery } from '@tanstack/react-query';
import { SlidersHorizontal } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { classNames } from '../../components/class-names';
import { Popover } from '../../components/overlay/popover';
import { costHint, costText, isFree } from '../../lib/format/cost';
import { useLive } from '../../lib/live/live-service';
import { useObservable } from '../../lib/state/use-observable';
import { useUser } from '../../features/access/hooks/use-user';
import { useExpectedBillingAccount } from '../../features/key/hooks/use-expected-billing-account';
import { billingAccountOf } from '../../features/key/billing-accounts';
import { usePersonaName } from '../../features/persona/use-persona-name';
import { RuleList } from '../../features/permission/rule/rule-list';
import { useMemberName } from '../../features/access/hooks/use-member-name';
import { costOfTurn } from '../../features/transcript/cost-of-turn';
import { isAdmin, useTeam } from '../../features/access/hooks/use-team';
import { optionsQuery } from '../../features/session/session.api';
import { mayManage } from '../../features/session/may-manage';
import { MODE_NAMES } from '../../features/session/session-names';
import { OptionsList } from '../../features/session/components/options-list';
import { SessionOptionsDialog } from '../../features/session/components/session-options-dialog';

const PROCESS_HINTS = {
  cold: 'Claude was started for this turn.',
  ahead: 'Claude was started when the session was opened.',
  parked: 'Claude was still running from the previous turn.',
} as const;

const LIVE = {
  idle: { name: 'not connected', dot: 'bg-line-strong' },
  connecting: { name: 'connecting', dot: 'bg-warn' },
  online: { name: 'connected', dot: 'bg-good' },
  reconnecting: { name: 'reconnecting', dot: 'bg-warn animate-breathe' },
} as const;

/** What is said where no WebSocket gets through: everything works, and some things later. */
const TRANSPORTS = {
  websocket: {},
  stream: {
    name: 'connected without WebSocket',
    dot: 'bg-good',
    hint: 'A proxy between this browser and the server lets no WebSocket through, so events come as a stream over HTTP. Messages and answers work as always; who is typing is not shown.',
  },
  polling: {
    name: 'connected, updates every 2 s',
    dot: 'bg-warn',
    hint: 'A proxy between this browser and the server lets no WebSocket through and holds streams back, so the page asks for news every 2 seconds. Messages and answers work as always.',
  },
} as const;

function Item({ children, title, className }: { children: ReactNode; title?: string; className?: string }) {
  return (
    <span title={title} className={classNames('truncate', className)}>
      {children}
    </span>
  );
}

/** The running turn plans, until its plan is approved; or the next message will. */
function isPlanning(state: TranscriptState, mode: PermissionMode | null): boolean {
  const active = activeTurnOf(state);
  if (active === null) return mode === 'plan';
  return (
    state.init?.permissionMode === 'plan' &&
    !active.items.some(
      (item) => item.type === 'permission' && item.kind === 'plan' && item.answer?.outcome === 'allowed',
    )
  );
}

/** Facts of the session in one line: model, mode, persona, what it costs, how it runs, and whether we are connected. */
export function StatusBar({
  session,
  state,
  mode,
  mayWrite,
}: {
  session: Session;
  state: TranscriptState;
  mode: PermissionMode | null;
  mayWrite: boolean;
}) {
  const live = useLive();
  const [status, transport] = [useObservable(live.status), useObservable(live.transport)];
  const connection = status === 'online' ? { ...LIVE.online, ...TRANSPORTS[transport] } : LIVE[status];
  const nameOf = useMemberName(session.teamId);
  const expected = useExpectedBillingAccount(session.teamId);
  const turn = activeTurnOf(state) ?? state.turns.findLast((other) => other.kind !== 'system') ?? null;
  const paidBy = turn?.paidBy ?? expected;
  const billingAccount =
    paidBy === null
      ? null
      : billingAccountOf(paidBy, turn?.paidBy == null ? null : (turn.authorName ?? nameOf(turn.authorId)));
  const role = useTeam(session.teamId)?.role;
  const spent = turn === null ? null : costOfTurn(turn);
  const total = knownCost(state.costUsd, state.unpricedMessages);
  const me = useUser();
  const personaName = usePersonaName(session.projectId, session.persona);
  const options = useQuery(optionsQuery(session.id)).data;
  const [isChanging, setChanging] = useState(false);
  // A turn keeps the model that it began with; between turns the next one's is shown.
  const model = activeTurnOf(state) === null ? options?.model?.value : (state.init?.model ?? options?.model?.value);
  return (
    <div className="flex h-7 min-w-0 items-center gap-3 px-1 text-xs text-faint">
      <Popover
        label="Options of this session"
        side="top"
        trigger={
          <button
            type="button"
            className="flex min-w-0 items-center gap-1.5 rounded-sm hover:text-text"
            title="Options and where they come from"
          >
            <SlidersHorizontal size={12} aria-hidden="true" className="shrink-0" />
            <span className="truncate">
              {paidBy === 'demo' ? 'demo model' : model === undefined ? 'default model' : modelName(model)}
            </span>
            <span className="sr-only">: options and where they come from</span>
          </button>
        }
      >
        <OptionsList
          session={session}
          billingAccount={billingAccount?.hint ?? null}
          onChange={mayManage(session, me.id, role) ? () => setChanging(true) : null}
        />
        <RuleList
          sessionId={session.id}
          projectId={session.projectId}
          mayChange={mayWrite}
          mayPromote={mayWrite && isAdmin(role)}
        />
      </Popover>
      <SessionOptionsDialog session={session} resolved={options} open={isChanging} onOpenChange={setChanging} />
      <Item {...(turn?.process == null ? {} : { title: PROCESS_HINTS[turn.process] })} className="max-phone:hidden">
        {MODE_NAMES[session.mode]}
      </Item>
      {isPlanning(state, mode) && <Item>plan mode</Item>}
      {personaName !== null && <Item title={`Persona: ${personaName}`}>{personaName}</Item>}
      {billingAccount !== null && (
        <Item title={billingAccount.hint} className="max-phone:hidden">
          {billingAccount.name}
        </Item>
      )}
      <span className="ms-auto" />
      <Item
        title={`This turn: ${spent === null ? '$0' : costHint(spent)}. The session: ${costHint(total)}`}
        className="shrink-0 tabular-nums"
      >
        {spent !== null && !isFree(spent) && `${costText(spent)} · `}
        {costText(total)} <span className="max-phone:sr-only">total</span>
      </Item>
      <span
        className="flex shrink-0 items-center gap-1.5"
        title={'hint' in connection ? connection.hint : `Connection: ${connection.name}`}
      >
        <span aria-hidden="true" className={classNames('size-1.5 rounded-full', connection.dot)} />
        <span className="max-phone:sr-only">{connection.name}</span>
      </span>
    </div>
  );
}
