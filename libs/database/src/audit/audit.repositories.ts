import { overDatabase } from '../connection/repository-providers';
import { AuditRepository } from './audit.repository';

export const auditRepositories = overDatabase(AuditRepository);
