import { compareMoney, grantWithin, newId, sumMoney, type BudgetReset, type RequestBounds } from '@chirality/domain';
import type { Database, Tx } from '../connection/database';
import { sentTogether } from '../connection/sent-together';
import { inTransaction } from '../connection/transaction';
import type { BudgetReservationRow, TeamRow } from '../generated/rows';
import { lockBudgets, readBudgets, subjectsOf, type BudgetState, type Spender } from './budget-window';
import { openBudgets } from './open-budgets';

type ReserveOutcome =
  | { outcome: 'unbound' }
  | { outcome: 'reserved'; reservationId: string; amountUsd: string }
  /** What is missing is held by other requests that are open. */
  | { outcome: 'wait' }
  | { outcome: 'exceeded'; budget: BudgetState };

/**
 * How long a caller waits for windows that are being opened. It takes a few milliseconds, unless there are years of
 * usage to count.
 */
const OPENING_PATIENCE_MS = 300;

/** What hard budgets let pass. */
export class BudgetSpendingRepository {
  private readonly opening = new Map<string, Promise<BudgetState[]>>();

  constructor(
    private readonly database: Pick<Database, 'pool'>,
    private readonly patienceMs = OPENING_PATIENCE_MS,
  ) {}

  /**
   * A hard budget that binds the spender and is known to be used up; null when there is none. Never waits long:
   * `reserve` does, for what is not counted yet.
   */
  async findUsedUp(spender: Spender): Promise<BudgetState | null> {
    const budgets = await this.budgetsOf(spender);
    return (
      budgets.find(
        ({ kind, isCounted, spentUsd, limitUsd }) =>
          kind === 'hard' && isCounted && compareMoney(spentUsd, limitUsd) >= 0,
      ) ?? null
    );
  }

  /**
   * When the present window of a team's budget ends, in the zone in which its days are counted; null for one that has
   * no end.
   */
  async resetOf({ id }: Pick<BudgetState, 'id'>, now: Date): Promise<BudgetReset> {
    const { rows } = await this.database.pool.query<{ at: Date } & Pick<TeamRow, 'timezone'>>(
      `SELECT t.timezone, (date_trunc(b.period,
        $2::timestamptz AT TIME ZONE t.timezone) + ('1 ' || b.period)::interval) AT TIME ZONE t.timezone AS at
       FROM budget b JOIN team t ON t.id = b.team_id WHERE b.id = $1 AND b.period <> 'total'`,
      [id, now],
    );
    return rows[0] ?? null;
  }

  /** Whether a hard budget binds the spender at this moment. */
  async isBound(spender: Spender): Promise<boolean> {
    return (await this.budgetsOf(spender)).some(({ kind }) => kind === 'hard');
  }

  /**
   * Reserves what a request is granted, in every hard budget that binds the spender or in none: together with what was
   * spent and what other requests have reserved it fits into each (see `grantWithin`). A reservation counts while its
   * turn is live. `bounds` is asked only where a budget binds; `bound`, where that was asked already. `wait` also while
   * what was spent of a budget is still being counted.
   */
  async reserve(
    spender: Spender & { turnId: string },
    bounds: () => Pick<RequestBounds, 'mostUsd' | 'leastUsd'>,
    patient: boolean,
    bound = this.isBound(spender),
  ): Promise<ReserveOutcome> {
    if (!(await bound)) return { outcome: 'unbound' };
    const at = new Date();
    const asked = bounds();
    return inTransaction(this.database.pool, async (tx) => {
      const [locked, binding] = await sentTogether([
        lockBudgets(tx, spender, at),
        readBudgets(tx, spender.teamId, subjectsOf(spender), at),
      ]);
      // Nothing passes a limit whose remainder is not known yet.
      if (binding.some(({ kind, isCounted }) => kind === 'hard' && !isCounted)) return { outcome: 'wait' };
      const budgets = locked.filter(({ kind }) => kind === 'hard');
      const open = await openReservations(tx, spender.teamId);
      const limits = budgets.map((budget) => {
        const amounts = open.filter((one) => one.subjects.includes(budget.subjectId)).map(({ amountUsd }) => amountUsd);
        return { ...budget, reservedUsd: sumMoney(amounts) };
      });
      const grant = grantWithin(limits, asked, patient);
      if (grant.outcome === 'wait') return grant;
      if (grant.outcome === 'exceeded') return { outcome: 'exceeded', budget: grant.limit };
      const { amountUsd } = grant;
      const reservationId = newId('request');
      await tx.query(
        'INSERT INTO budget_reservation (id, team_id, project_id, session_id, user_id, turn_id, amount_usd) VALUES ($1, $2, $3, $4, $5, $6, $7)',
        [
          reservationId,
          spender.teamId,
          spender.projectId,
          spender.sessionId,
          spender.userId,
          spender.turnId,
          amountUsd,
        ],
      );
      return { outcome: 'reserved', reservationId, amountUsd };
    });
  }

  /** The request is over and what it used is stored. */
  async release(reservationId: string): Promise<void> {
    await this.database.pool.query('DELETE FROM budget_reservation WHERE id = $1', [reservationId]);
  }

  /**
   * What binds the spender, with windows opened where that is quick; else they are opened in the background and come as
   * they are.
   */
  private async budgetsOf(spender: Spender): Promise<BudgetState[]> {
    const subjects = subjectsOf(spender);
    const found = await readBudgets(this.database.pool, spender.teamId, subjects, new Date());
    if (found.every(({ isCounted }) => isCounted)) return found;
    const opened = this.open(spender.teamId, subjects).catch(() => found);
    let timer: NodeJS.Timeout | undefined;
    const impatient = new Promise<BudgetState[]>(
      (resolve) => (timer = setTimeout(() => resolve(found), this.patienceMs)),
    );
    return Promise.race([opened, impatient]).finally(() => clearTimeout(timer));
  }

  /** Callers at the same time share one counting. */
  private open(teamId: string, subjects: string[]): Promise<BudgetState[]> {
    const key = subjects.join(' ');
    const running = this.opening.get(key);
    if (running) return running;
    const opening = openBudgets(this.database.pool, teamId, subjects, new Date()).finally(() =>
      this.opening.delete(key),
    );
    this.opening.set(key, opening);
    return opening;
  }
}

/** Removes reservations of ended turns that were never released. */
async function openReservations(tx: Tx, teamId: string): Promise<{ subjects: string[]; amountUsd: string }[]> {
  await tx.query(
    'DELETE FROM budget_reservation r USING turn t WHERE r.team_id = $1 AND t.id = r.turn_id AND t.active_session_id IS NULL',
    [teamId],
  );
  const { rows } = await tx.query<
    Pick<BudgetReservationRow, 'team_id' | 'project_id' | 'session_id' | 'user_id' | 'amount_usd'>
  >('SELECT team_id, project_id, session_id, user_id, amount_usd FROM budget_reservation WHERE team_id = $1', [teamId]);
  return rows.map((row) => ({
    subjects: [row.team_id, row.project_id, row.session_id, row.user_id],
    amountUsd: row.amount_usd,
  }));
}
