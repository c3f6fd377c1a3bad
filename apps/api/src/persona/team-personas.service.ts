import { Injectable } from '@nestjs/common';
import type {
  CreatePersona,
  Page,
  PersonaDetail,
  PersonaVersion,
  TeamPersona,
  UpdatePersona,
} from '@chirality/contracts';
import { PersonaRepository, TeamRepository, type StoredPersona } from '@chirality/database';
import {
  limitsInForce,
  listPersonas,
  normalizePersonaKey,
  parsePersonaFile,
  PersonaFileError,
  personaFileOf,
  type LimitsInForce,
} from '@chirality/domain';
import { ProblemError } from '@chirality/platform';
import { chosenTeam } from '../access/chosen-team';
import type { Principal } from '../access/principal';
import { AuditTrail } from '../audit/audit-trail';
import { wholePage } from '../core/http/json-page';
import { knownId } from '../core/http/known-id';
import { problems } from '../core/problem/problems';
import { boundsOf, PersonaResolver } from '../options/persona-resolver';
import { personaPolicy } from './persona.policy';

/** Personas that a team writes itself; each save is a version, and none is ever lost. */
@Injectable()
export class TeamPersonasService {
  constructor(
    private readonly personas: PersonaRepository,
    private readonly teams: TeamRepository,
    private readonly resolver: PersonaResolver,
    private readonly audit: AuditTrail,
  ) {}

  async list(who: Principal, teamId: string | undefined): Promise<Page<TeamPersona>> {
    return wholePage((await this.personas.list(chosenTeam(who, teamId).id)).map(shown));
  }

  /** Each as the team's projects have it: one whose key the team uses itself is shadowed. */
  async listBuiltIn(who: Principal, teamId: string | undefined): Promise<Page<PersonaDetail>> {
    const candidates = await this.resolver.candidatesOfTeam(chosenTeam(who, teamId).id);
    // Only what comes with a project is held to bounds.
    const listed = listPersonas(candidates, boundsOf('workbench', { project: null, team: null, limits: {} }));
    const textOf = (hash: string | null) => candidates.find(({ contentHash }) => contentHash === hash)?.text ?? '';
    return wholePage(
      listed
        .filter(({ origin }) => origin === 'built-in')
        .map((persona) => ({ ...persona, text: textOf(persona.contentHash), approvedText: null })),
    );
  }

  async create(who: Principal, { teamId, key: given, text }: CreatePersona): Promise<TeamPersona> {
    const team = chosenTeam(who, teamId);
    if (!personaPolicy.edit(who, { teamId: team.id })) throw problems.forbidden('write personas', team.id);
    const key = normalizePersonaKey(given);
    refuseBroken(key, text, await this.limitsOf(team.id));
    const made = await this.personas.create({ teamId: team.id, key, text, savedBy: personOf(who) });
    if (!made)
      throw new ProblemError(
        'CONFLICT',
        `The team already has a persona ${key}. Change that one, or choose another key.`,
      );
    await this.audit.note(who, team.id, {
      action: 'persona:create',
      object: made.id,
      detail: { key, contentHash: made.contentHash },
    });
    return shown(made);
  }

  async get(who: Principal, personaId: string): Promise<TeamPersona> {
    return shown(await this.find(who, personaId));
  }

  async versions(who: Principal, personaId: string): Promise<Page<PersonaVersion>> {
    return wholePage(await this.personas.listVersions((await this.find(who, personaId)).id));
  }

  /** CONFLICT when another user saved since `baseVersion`: nothing is overwritten. */
  async update(
    who: Principal,
    personaId: string,
    { baseVersion, text, restoreVersion }: UpdatePersona,
  ): Promise<TeamPersona> {
    const persona = await this.findForEditing(who, personaId);
    const next = text ?? (await this.textOfVersion(persona, restoreVersion));
    refuseBroken(persona.key, next, await this.limitsOf(persona.teamId));
    const saved = await this.personas.save(persona.id, { baseVersion, text: next, savedBy: personOf(who) });
    if (saved.outcome === 'deleted') throw deleted();
    if (saved.outcome === 'changed')
      throw new ProblemError(
        'CONFLICT',
        `Version ${saved.version} was saved since you began from version ${baseVersion}. Look at it, then save again.`,
        { version: saved.version },
      );
    const { version, contentHash } = saved.persona;
    await this.audit.note(who, persona.teamId, {
      action: 'persona:update',
      object: persona.id,
      detail: { key: persona.key, version, contentHash, ...(restoreVersion === undefined ? {} : { restoreVersion }) },
    });
    return shown(saved.persona);
  }

  /** Sessions that use it see that at their next turn; its text stays readable. */
  async delete(who: Principal, personaId: string): Promise<void> {
    const persona = await this.findForEditing(who, personaId);
    if (!(await this.personas.delete(persona.id))) throw deleted();
    await this.audit.note(who, persona.teamId, {
      action: 'persona:delete',
      object: persona.id,
      detail: { key: persona.key, version: persona.version },
    });
  }

  /** A persona is for all projects of its team, so what one of them allows does not matter here. */
  private async limitsOf(teamId: string): Promise<LimitsInForce> {
    return limitsInForce({ team: await this.teams.findLimits(teamId) });
  }

  private async find(who: Principal, personaId: string): Promise<StoredPersona> {
    const persona = await this.personas.findForUser(knownId('persona', personaId), who.user.id);
    if (!persona || !personaPolicy.read(who, persona)) throw problems.personaNotFound();
    return persona;
  }

  private async findForEditing(who: Principal, personaId: string): Promise<StoredPersona> {
    const persona = await this.find(who, personaId);
    if (!personaPolicy.edit(who, persona)) throw problems.forbidden('write personas', persona.teamId);
    if (persona.deletedAt !== null) throw deleted();
    return persona;
  }

  private async textOfVersion(persona: StoredPersona, version: number | undefined): Promise<string> {
    const found = (await this.personas.listVersions(persona.id)).find((one) => one.version === version);
    if (!found) throw problems.notFound('version of this persona');
    return found.text;
  }
}

/** The same rules as for a file, and the same errors: by file, line and field. */
function refuseBroken(key: string, text: string, limits: LimitsInForce): void {
  try {
    parsePersonaFile(text, personaFileOf(key), limits);
  } catch (error) {
    if (!(error instanceof PersonaFileError)) throw error;
    throw new ProblemError('VALIDATION_FAILED', `The persona is not valid. ${error.message}`, {
      errors: [{ path: 'text', message: error.detail, ...error.problem }],
    });
  }
}

function shown(persona: StoredPersona): TeamPersona {
  try {
    const { name, description, options } = parsePersonaFile(persona.text, personaFileOf(persona.key));
    return { ...persona, name, description, options };
  } catch (error) {
    // Saved under rules that have become stricter since: still to be read, and to be fixed.
    if (error instanceof PersonaFileError)
      return { ...persona, name: persona.key, description: error.message, options: {} };
    throw error;
  }
}

function personOf({ user }: Principal): { userId: string; name: string } {
  return { userId: user.id, name: user.name };
}

function deleted(): ProblemError {
  return new ProblemError('CONFLICT', 'The persona was deleted. Its versions can still be read.');
}
