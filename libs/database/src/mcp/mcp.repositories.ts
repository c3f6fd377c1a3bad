import { overDatabase } from '../connection/repository-providers';
import { McpCallRepository } from './mcp-call.repository';
import { McpSessionRepository } from './mcp-session.repository';

export const mcpRepositories = overDatabase(McpCallRepository, McpSessionRepository);
