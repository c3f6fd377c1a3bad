import { Injectable } from '@nestjs/common';
import type { Command, CommandInput, CommandWarning } from '@chirality/contracts';
import { AttemptCounter } from '@chirality/messaging';
import { requireCommandScope } from '../access/token-routes';
import type { Principal } from '../access/principal';
import { DeniedActs } from '../audit/denied-acts';
import { countRequest } from '../core/request-rate';
import { CustomEventsService } from '../event/custom-events.service';
import { EventsService } from '../event/events.service';
import { PermissionsService } from '../permission/permissions.service';
import { SessionsService } from '../session/sessions.service';
import { TurnActsService } from '../turn/turn-acts.service';
import type { LeavingCaller } from '../turn/turn-watch';
import { TurnsService } from '../turn/turns.service';
import { UsageService } from '../usage/usage.service';
import { readCommandInput } from './command-input';

/** Commands that are about the connection itself: each transport has its own way of them. */
type ConnectionCommand = 'session:attach' | 'session:detach';
type ServiceCommand = Exclude<Command, ConnectionCommand>;

export type CommandAnswer = { body: unknown; warnings: CommandWarning[] };
type Acts = {
  [C in ServiceCommand]: (who: Principal, input: CommandInput<C>, caller: LeavingCaller) => Promise<unknown>;
};

/**
 * The commands of the protocol for transports that are no routes: what a command takes, whether the token covers it,
 * and the one call of the service that the route of the same act makes. Rights are the service's, as there.
 */
@Injectable()
export class Commands {
  private readonly acts: Acts;

  constructor(
    sessions: SessionsService,
    turns: TurnsService,
    turnActs: TurnActsService,
    permissions: PermissionsService,
    events: EventsService,
    customEvents: CustomEventsService,
    usage: UsageService,
    private readonly counter: AttemptCounter,
    private readonly denied: DeniedActs,
  ) {
    this.acts = {
      'session:create': async (who, input) => ({ session: await sessions.create(who, input) }),
      'session:end': async (who, { session }) => {
        await sessions.archive(who, session);
        return {};
      },
      'session:set_model': async (who, { session, model }) => ({
        session: await sessions.setOptions(who, session, { model }),
      }),
      'plan:enter': async (who, { session }) => ({
        session: await sessions.setOptions(who, session, { permissionMode: 'plan' }),
      }),
      'plan:exit': async (who, { session }) => ({
        session: await sessions.setOptions(who, session, { permissionMode: 'default' }),
      }),
      'turn:send': async (who, { session, idempotencyKey, wait, ...body }, caller) =>
        turns.send(who, session, { body, key: idempotencyKey, wait }, caller),
      'turn:interrupt': (who, { session }) => turnActs.interrupt(who, session),
      'permission:answer': async (who, { session, permissionId, ...decision }) => ({
        permission: await permissions.answer(who, session, permissionId, decision),
      }),
      'events:read': (who, { session, ...query }) => events.read(who, session, query),
      'usage:read': (who, query) => usage.report(who, query),
      custom: async (who, { session, ...event }) => ({ event: await customEvents.append(who, session, event) }),
    };
  }

  /** Carries it out. Throws the problems that the route would answer with, RATE_LIMITED and TOKEN_SCOPE among them. */
  run(who: Principal, command: ServiceCommand, sent: object, caller: LeavingCaller): Promise<CommandAnswer> {
    return this.admitted(who, command, sent, async () => {
      const { input, warnings } = readCommandInput(command, sent);
      const act = this.acts[command] as (who: Principal, input: unknown, caller: LeavingCaller) => Promise<unknown>;
      return { body: await act(who, input, caller), warnings };
    });
  }

  /**
   * Runs what a transport does for a command, after the same checks: the token's rate and its claims. What is denied is
   * recorded as for a route.
   */
  async admitted<T>(who: Principal, command: Command, sent: object, act: () => Promise<T>): Promise<T> {
    try {
      if (who.token !== undefined) await countRequest(this.counter, who.familyId);
      requireCommandScope(who, command);
      return await act();
    } catch (error) {
      void this.denied.noteRefusal(who, command, sent, error);
      throw error;
    }
  }
}
