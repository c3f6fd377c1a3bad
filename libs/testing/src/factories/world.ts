import { randomUUID } from 'node:crypto';
import type { Role, Visibility } from '@chirality/contracts';
import type { Tx } from '@chirality/database';
import { newId } from '@chirality/domain';

/**
 * Rows that most tests stand on. Each `build…` inserts one valid row, takes what the test cares about, and answers
 * what it inserted.
 */

export async function buildTeam(tx: Tx, fields: { name?: string; timezone?: string } = {}) {
  const team = { id: newId('team'), name: fields.name ?? 'Team', timezone: fields.timezone ?? 'UTC' };
  await tx.query('INSERT INTO team (id, name, timezone) VALUES ($1, $2, $3)', [team.id, team.name, team.timezone]);
  return team;
}

export async function buildUser(tx: Tx, fields: { name?: string; email?: string; teamId?: string; role?: Role } = {}) {
  const id = newId('user');
  const user = { id, name: fields.name ?? 'Person', email: fields.email ?? `${id.toLowerCase()}@example.test` };
  await tx.query('INSERT INTO "user" (id, email, name, password_hash) VALUES ($1, $2, $3, $4)', [
    user.id,
    user.email,
    user.name,
    'no login',
  ]);
  if (fields.teamId) {
    await tx.query('INSERT INTO membership (team_id, user_id, role) VALUES ($1, $2, $3)', [
      fields.teamId,
      user.id,
      fields.role ?? 'member',
    ]);
  }
  return user;
}

export async function buildProject(tx: Tx, fields: { teamId: string; createdById: string; name?: string }) {
  const project = { id: newId('project'), teamId: fields.teamId, name: fields.name ?? 'Project' };
  await tx.query('INSERT INTO project (id, team_id, name, source, created_by_id) VALUES ($1, $2, $3, $4, $5)', [
    project.id,
    project.teamId,
    project.name,
    JSON.stringify({ kind: 'empty' }),
    fields.createdById,
  ]);
  return project;
}

export async function buildSession(
  tx: Tx,
  fields: {
    teamId: string;
    projectId: string;
    ownerId: string;
    title?: string;
    persona?: string;
    visibility?: Visibility;
    /** Whether it shares the project's checkout with others. */
    isShared?: boolean;
  },
) {
  const session = {
    id: newId('session'),
    teamId: fields.teamId,
    projectId: fields.projectId,
    ownerId: fields.ownerId,
    title: fields.title ?? 'Session',
  };
  if (fields.isShared)
    await tx.query(
      `INSERT INTO shared_workspace (id, project_id, branch) VALUES ($1, $2, '') ON CONFLICT (project_id, branch) DO NOTHING`,
      [newId('sharedWorkspace'), session.projectId],
    );
  await tx.query(
    `INSERT INTO session (id, team_id, project_id, owner_id, title, persona, mode, workspace, harness, visibility, options,
       shared_workspace_id)
     VALUES ($1, $2, $3, $4, $5, $6, 'workbench', CASE WHEN $8 THEN 'shared' ELSE 'own' END, 'claude-code', $7, '{}',
       CASE WHEN $8 THEN (SELECT id FROM shared_workspace WHERE project_id = $3) END)`,
    [
      session.id,
      session.teamId,
      session.projectId,
      session.ownerId,
      session.title,
      fields.persona ?? null,
      fields.visibility ?? 'private',
      fields.isShared ?? false,
    ],
  );
  await tx.query('INSERT INTO session_cursor (session_id) VALUES ($1)', [session.id]);
  return session;
}

/** A worker whose lease is good for a minute, or for `leaseMs` (negative: it has expired). */
export async function buildWorker(tx: Tx, fields: { leaseMs?: number; machine?: string; slots?: number } = {}) {
  const worker = {
    id: newId('worker'),
    life: randomUUID(),
    machine: fields.machine ?? 'test-machine',
    slots: fields.slots ?? 4,
  };
  await tx.query(
    `INSERT INTO worker (id, machine, pid, slots, sandbox, lease_expires_at, life)
     VALUES ($1, $2, 1, $3, 'bubblewrap', now() + $4 * interval '1 millisecond', $5)`,
    [worker.id, worker.machine, worker.slots, fields.leaseMs ?? 60_000, worker.life],
  );
  return worker;
}

/** A team with one owner, one project and one session. */
export async function buildWorld(tx: Tx) {
  const team = await buildTeam(tx);
  const owner = await buildUser(tx, { teamId: team.id, role: 'owner', name: 'Owner' });
  const project = await buildProject(tx, { teamId: team.id, createdById: owner.id });
  const session = await buildSession(tx, { teamId: team.id, projectId: project.id, ownerId: owner.id });
  return { team, owner, project, session };
}
