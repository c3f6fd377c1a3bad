import { overDatabase, overEventLog } from '../connection/repository-providers';
import { PermissionRepository } from './permission.repository';
import { PolicyRepository } from './policy.repository';
import { ProjectRuleRepository } from './project-rule.repository';
import { SessionRuleRepository } from './session-rule.repository';

export const permissionRepositories = [
  ...overDatabase(PolicyRepository, ProjectRuleRepository, SessionRuleRepository),
  ...overEventLog(PermissionRepository),
];
