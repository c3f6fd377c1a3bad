import { newId, unitsToMoney } from '@chirality/domain';
import { buildProject, buildSession, buildTurn, buildUser, buildWorld, type Random } from '@chirality/testing';
import type { Pool } from 'pg';
import type { UsageEntry } from '../src/usage/usage.repository';

export const ZONES = ['UTC', 'Europe/Berlin', 'Asia/Kolkata', 'America/St_Johns', 'Pacific/Kiritimati'];
/** The month in which a team at work uses anything. */
export const START = Date.parse('2026-03-20T00:00:00.000Z');
export const SPAN_MS = 30 * 86_400_000;

export const momentOf = (random: Random) => new Date(START + random.below(SPAN_MS));

/** A team with three people, two projects, three sessions and twelve turns, and what makes messages of them. */
export async function buildTeamAtWork(pool: Pool, random: Random) {
  const world = await buildWorld(pool);
  const teamId = world.team.id;
  const people = [
    world.owner,
    await buildUser(pool, { teamId, name: 'Second' }),
    await buildUser(pool, { teamId, name: 'Third' }),
  ];
  const second = await buildProject(pool, { teamId, createdById: world.owner.id, name: 'Second' });
  const sessions = [world.session];
  for (const [index, projectId] of [world.project.id, second.id].entries())
    sessions.push(await buildSession(pool, { teamId, projectId, ownerId: (people[index] ?? world.owner).id }));
  const turns = await Promise.all(
    Array.from({ length: 12 }, async () => {
      const session = random.pick(sessions);
      const author = random.pick(people);
      const turn = await buildTurn(pool, { session, authorId: author.id, status: 'completed' });
      return { id: turn.id, session, author, persona: random.chance(0.5) ? 'reviewer' : null };
    }),
  );
  const entry = (): UsageEntry => {
    const turn = random.pick(turns);
    return {
      id: newId('usage'),
      teamId,
      projectId: turn.session.projectId,
      sessionId: turn.session.id,
      turnId: turn.id,
      attempt: 1,
      userId: turn.author.id,
      persona: turn.persona,
      model: random.pick(['claude-a', 'claude-b']),
      apiMessageId: null,
      inputTokens: random.below(1_000),
      outputTokens: 1 + random.below(1_000),
      cacheReadTokens: random.below(9),
      cacheWrite5mTokens: random.below(9),
      cacheWrite1hTokens: random.below(9),
      webSearches: 0,
      costUsd: random.chance(0.1) ? null : unitsToMoney(BigInt(random.below(1_000_000_000))),
      source: 'gateway',
      demo: random.chance(0.2),
      complete: false,
      at: momentOf(random),
    };
  };
  return { teamId, readerId: world.owner.id, projectId: second.id, entry };
}
