import { Injectable } from '@nestjs/common';
import type { Persona, PersonaDetail, PersonaList } from '@chirality/contracts';
import {
  PersonaTextRepository,
  ProjectPersonaRepository,
  ProjectRepository,
  type ProjectRecord,
} from '@chirality/database';
import { listPersonas, normalizePersonaKey, type PersonaBounds } from '@chirality/domain';
import { ProblemError } from '@chirality/platform';
import type { Principal } from '../access/principal';
import { AuditTrail } from '../audit/audit-trail';
import { problems } from '../core/problem/problems';
import { problemSentence } from '../options/candidate';
import { boundsOf, PersonaResolver } from '../options/persona-resolver';
import { ProjectsService } from '../project/projects.service';
import { personaPolicy } from './persona.policy';

/** Personas as a project has them, and admins' word on its own ones. */
@Injectable()
export class PersonasService {
  constructor(
    private readonly projects: ProjectsService,
    private readonly records: ProjectRepository,
    private readonly resolver: PersonaResolver,
    private readonly stored: ProjectPersonaRepository,
    private readonly texts: PersonaTextRepository,
    private readonly audit: AuditTrail,
  ) {}

  async list(who: Principal, projectId: string): Promise<PersonaList> {
    const project = await this.projects.find(who, projectId);
    const { candidates, notice } = await this.resolver.candidates(project);
    return { data: listPersonas(candidates, await this.boundsIn(project)), nextCursor: null, notice };
  }

  async get(who: Principal, projectId: string, key: string): Promise<PersonaDetail> {
    return this.detail(await this.projects.find(who, projectId), key);
  }

  /** Holds for that text alone: when the file changes, it is void. Safe to repeat. */
  async approve(who: Principal, projectId: string, key: string, contentHash: string): Promise<PersonaDetail> {
    const project = await this.projects.find(who, projectId);
    if (!personaPolicy.approve(who, project)) throw problems.forbidden('approve a persona', project.teamId);
    const persona = await this.ofProject(project, key);
    if (persona.problem)
      throw new ProblemError(
        'VALIDATION_FAILED',
        `The file has to be fixed first: ${problemSentence(persona.problem)}`,
        { errors: [persona.problem] },
      );
    if (persona.contentHash !== contentHash)
      throw new ProblemError('CONFLICT', 'The file has changed since you viewed it. View it again, then approve it.', {
        contentHash: persona.contentHash,
      });
    const isNew = await this.stored.approve(project.id, {
      key: persona.key,
      contentHash,
      by: { userId: who.user.id, name: who.user.name },
    });
    if (isNew)
      await this.audit.note(who, project.teamId, {
        action: 'persona:approve',
        object: project.id,
        detail: { key: persona.key, file: persona.file, contentHash, counts: persona.narrowed },
      });
    return this.detail(project, persona.key);
  }

  /** Running turns continue; from the next one the file only narrows again. */
  async revoke(who: Principal, projectId: string, key: string): Promise<void> {
    const project = await this.projects.find(who, projectId);
    if (!personaPolicy.approve(who, project))
      throw problems.forbidden('take back the approval of a persona', project.teamId);
    const revoked = await this.stored.revoke(project.id, normalizePersonaKey(key));
    if (!revoked) throw problems.personaNotFound();
    await this.audit.note(who, project.teamId, {
      action: 'persona:revoke',
      object: project.id,
      detail: { key: normalizePersonaKey(key) },
    });
  }

  private async ofProject(project: ProjectRecord, key: string): Promise<Persona> {
    const { candidates } = await this.resolver.candidates(project);
    const listed = listPersonas(candidates, await this.boundsIn(project));
    const persona = listed.find(
      (one) => one.origin === 'project' && one.key === normalizePersonaKey(key) && one.shadowedBy !== 'project',
    );
    if (!persona) throw problems.personaNotFound();
    return persona;
  }

  private async boundsIn(project: ProjectRecord): Promise<PersonaBounds> {
    return boundsOf('workbench', await this.records.findDefaults(project.id));
  }

  private async detail(project: ProjectRecord, key: string): Promise<PersonaDetail> {
    const { candidates } = await this.resolver.candidates(project);
    const persona = listPersonas(candidates, await this.boundsIn(project)).find(
      (one) => one.key === normalizePersonaKey(key),
    );
    const candidate =
      persona &&
      candidates.find(
        ({ origin, file, contentHash }) =>
          origin === persona.origin && file === persona.file && contentHash === persona.contentHash,
      );
    if (!persona || !candidate) throw problems.personaNotFound();
    const approvals = persona.origin === 'project' ? await this.stored.listApprovals(project.id) : [];
    const earlier = approvals.find((one) => one.key === persona.key && one.contentHash !== persona.contentHash);
    return {
      ...persona,
      text: candidate.text ?? '',
      approvedText: earlier ? await this.texts.find(earlier.contentHash) : null,
    };
  }
}
