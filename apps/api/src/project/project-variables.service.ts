import { Injectable } from '@nestjs/common';
import type { Page, ProjectVariable, PutProjectVariable } from '@chirality/contracts';
import { ProjectVariableRepository, type ProjectRecord } from '@chirality/database';
import { variableSealOf, whyNoVariableName } from '@chirality/domain';
import { ProblemError, SecretBox } from '@chirality/platform';
import type { Principal } from '../access/principal';
import { AuditTrail } from '../audit/audit-trail';
import { problems } from '../core/problem/problems';
import { projectPolicy } from '../access/project.policy';
import { ProjectsService } from './projects.service';

/** All values are looked for in everything that is shown, so their size is bounded. */
const MAX_VARIABLES = { variables: 64, bytes: 128 * 1_024 };

@Injectable()
export class ProjectVariablesService {
  constructor(
    private readonly projects: ProjectsService,
    private readonly variables: ProjectVariableRepository,
    private readonly secrets: SecretBox,
    private readonly audit: AuditTrail,
  ) {}

  async list(who: Principal, projectId: string): Promise<Page<ProjectVariable>> {
    const project = await this.projects.find(who, projectId);
    if (!projectPolicy.contribute(who, project))
      throw problems.forbidden('see the variables of a project', project.teamId);
    return { data: await this.variables.list(project.id), nextCursor: null };
  }

  async get(who: Principal, projectId: string, name: string): Promise<ProjectVariable> {
    const { data } = await this.list(who, projectId);
    return data.find((variable) => variable.name === name) ?? missing();
  }

  async put(
    who: Principal,
    projectId: string,
    name: string,
    { value, givenTo }: PutProjectVariable,
  ): Promise<ProjectVariable> {
    const project = await this.findManaged(who, projectId);
    const why = whyNoVariableName(name);
    if (why)
      throw new ProblemError('VALIDATION_FAILED', `The name ${why}.`, { errors: [{ path: 'name', message: why }] });
    if (value?.includes('\0'))
      throw new ProblemError('VALIDATION_FAILED', 'The value contains a NUL character, which a variable cannot hold.', {
        errors: [{ path: 'value', message: 'must hold no NUL' }],
      });
    const cipher = value === undefined ? null : this.secrets.seal(value, variableSealOf(project.id, name));
    const by = { userId: who.user.id, name: who.user.name };
    const kept = await this.variables.put(project.id, { name, cipher, givenTo: givenTo ?? null, by }, MAX_VARIABLES);
    if (kept === null) return missing();
    if (kept === 'too_many')
      throw new ProblemError(
        'CONFLICT',
        `A project has at most ${MAX_VARIABLES.variables} variables of ${MAX_VARIABLES.bytes / 1_024} KiB in total. Delete one first.`,
      );
    await this.audit.note(who, project.teamId, {
      action: 'project:variable',
      object: project.id,
      detail: { name, givenTo: kept.givenTo, valueChanged: cipher !== null },
    });
    return kept;
  }

  async remove(who: Principal, projectId: string, name: string): Promise<void> {
    const project = await this.findManaged(who, projectId);
    if (!(await this.variables.remove(project.id, name))) return missing();
    await this.audit.note(who, project.teamId, {
      action: 'project:variable-remove',
      object: project.id,
      detail: { name },
    });
  }

  private async findManaged(who: Principal, projectId: string): Promise<ProjectRecord> {
    const project = await this.projects.find(who, projectId);
    if (!projectPolicy.manage(who, project))
      throw problems.forbidden('change the variables of a project', project.teamId);
    return project;
  }
}

function missing(): never {
  throw new ProblemError('NOT_FOUND', 'The project has no variable of that name. Give a value to create it.');
}
