import { overDatabase } from '../connection/repository-providers';
import { EgressLogRepository } from './egress-log.repository';
import { ProjectEgressRepository } from './project-egress.repository';
import { ProjectFetchRepository } from './project-fetch.repository';
import { ProjectMemberRepository } from './project-member.repository';
import { ProjectRefreshRepository } from './project-refresh.repository';
import { ProjectVariableRepository } from './project-variable.repository';
import { ProjectRepository } from './project.repository';
import { SetupScriptRepository } from './setup-script.repository';

export const projectRepositories = overDatabase(
  EgressLogRepository,
  ProjectEgressRepository,
  ProjectFetchRepository,
  ProjectMemberRepository,
  ProjectRefreshRepository,
  ProjectVariableRepository,
  ProjectRepository,
  SetupScriptRepository,
);
