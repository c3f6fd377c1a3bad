import { newId } from '@chirality/domain';
import type { Tx } from '../connection/database';
import type { WorkerProcessRow } from '../generated/rows';

/** One process of a machine, named so that a pid that was given away again is not mistaken for it. */
export interface RegisteredProcess {
  id: string;
  workerId: string;
  sessionId: string;
  turnId: string | null;
  machine: string;
  pid: number;
  startTime: string;
}

/** The processes that workers have started, so that another worker of the machine can end them after a worker died. */
export class WorkerProcessRepository {
  constructor(private readonly database: { pool: Tx }) {}

  async register(process: Omit<RegisteredProcess, 'id'> & { workerLife: string }): Promise<string> {
    const id = newId('process');
    await this.database.pool.query(
      'INSERT INTO worker_process (id, worker_id, worker_life, session_id, turn_id, machine, pid, start_time) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)',
      [
        id,
        process.workerId,
        process.workerLife,
        process.sessionId,
        process.turnId,
        process.machine,
        process.pid,
        process.startTime,
      ],
    );
    return id;
  }

  async unregister(processId: string): Promise<void> {
    await this.database.pool.query('DELETE FROM worker_process WHERE id = $1', [processId]);
  }

  /** On that machine, of workers that count as dead, and of earlier lives of those that have started again. */
  async findOrphans(machine: string): Promise<RegisteredProcess[]> {
    const { rows } = await this.database.pool.query<WorkerProcessRow>(
      `SELECT p.* FROM worker_process p LEFT JOIN worker w ON w.id = p.worker_id
       WHERE p.machine = $1 AND (w.id IS NULL OR w.stopped_at IS NOT NULL OR p.worker_life IS DISTINCT FROM w.life)`,
      [machine],
    );
    return rows.map((row) => ({
      id: row.id,
      workerId: row.worker_id,
      sessionId: row.session_id,
      turnId: row.turn_id,
      machine: row.machine,
      pid: row.pid,
      startTime: row.start_time,
    }));
  }
}
