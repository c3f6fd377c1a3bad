import { overDatabase, overEventLog } from '../connection/repository-providers';
import { ToolCallRepository } from './tool-call.repository';
import { ToolOutcomeRepository } from './tool-outcome.repository';

export const ledgerRepositories = [...overDatabase(ToolCallRepository), ...overEventLog(ToolOutcomeRepository)];
