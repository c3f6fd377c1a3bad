import { SchemaJudge } from '@chirality/platform';
import { EgressRecord, refusalNotice, type EgressBinding, type EgressLogSink } from '../egress';
import { heldToSchema } from '../outcome/held-to-schema';
import type { WatchdogLimits } from '../outcome/turn-watchdog';
import type { Permissions } from '../permission/permissions';
import { optionValue, type PreparedTurn } from '../prepare/prepared-turn';
import type { LiveProcess, ProcessOrigin } from '../process/live-process';
import type { ActiveTurn } from '../record/active-turn';
import type { TurnLimits } from '../turn/turn-limits';
import { ProcessRun } from './process-run';
import { TurnProgress } from './turn-progress';
import { TurnServing } from './turn-serving';

/** Has processes serve turns. */
export class TurnServings {
  private readonly judge = new SchemaJudge();

  /** `parking`: whether a process may wait for its session's next turn. */
  constructor(
    private readonly permissions: Permissions,
    private readonly egressLog: EgressLogSink,
    private readonly limits: TurnLimits,
    private readonly parking: boolean,
  ) {}

  /** The turn's beginning is recorded, its way to the model is open, and from here on the process is read. */
  begin(turn: ActiveTurn, prepared: PreparedTurn, live: LiveProcess, origin: ProcessOrigin): TurnServing {
    const permissions = this.permissions.ofTurn(turn, prepared, live.process.channel);
    recordStart(turn, prepared, origin);
    live.process.sandboxed.onProcessLimit = (limit) => turn.processLimit.say(limit);
    this.bind(turn, live);
    const progress = new TurnProgress(turn, live.lease, prepared);
    const limits = this.limitsOf(prepared, origin);
    const mayPark = this.mayPark(turn, prepared);
    const run = new ProcessRun(live.process, turn, permissions, progress, limits, mayPark, (result) =>
      heldToSchema(result, prepared.outputSchema, this.judge, turn.claimed.sessionId),
    );
    return new TurnServing(turn, prepared, live, origin, permissions, progress, run);
  }

  private bind({ claimed, state, recorder, costs, payments, log }: ActiveTurn, live: LiveProcess): void {
    const { id: turnId, sessionId, projectId, teamId, author, options, project } = claimed;
    const onRefused: EgressBinding['onRefused'] = (refusal) => recorder.record('turn:notice', refusalNotice(refusal));
    const binding = { projectId, sessionId, turnId, userId: author.userId, onRefused };
    const keptBack = new EgressRecord(binding, this.egressLog, log);
    live.lease.bind({
      turnId,
      attempt: state.attempt.attempt,
      authorId: author.userId,
      authorName: author.name,
      sessionId,
      teamId,
      projectId,
      persona: claimed.persona?.key ?? null,
      allows: { model: optionValue(options, 'model'), webSearch: project.egress.webSearch },
      onRequestRefused: ({ what }) => keptBack.note(what, 0, 'not_passed_on'),
      costs,
      payments,
      onEgressRefused: onRefused,
    });
  }

  private limitsOf({ timeoutMs }: PreparedTurn, origin: ProcessOrigin): WatchdogLimits {
    return {
      ...this.limits,
      ...(origin === 'cold' ? {} : { startMs: this.limits.parkedStartMs }),
      ...(timeoutMs === null ? {} : { wallMs: timeoutMs }),
    };
  }

  private mayPark({ claimed }: ActiveTurn, { mode, fresh }: PreparedTurn): boolean {
    const mayContinue = claimed.kind === 'message' && claimed.session.workspace === 'own';
    return this.parking && mayContinue && mode !== 'pipeline' && !fresh;
  }
}

function recordStart(
  { recorder, state, workerId }: ActiveTurn,
  { account }: PreparedTurn,
  origin: ProcessOrigin,
): void {
  const { attempt } = state.attempt;
  const start = { attempt, worker: workerId, process: origin, paidBy: account.paidBy };
  // One that waited announces itself a moment later.
  if (origin === 'cold') recorder.record('turn:start', start);
  else recorder.recordWithNext('turn:start', start);
}
