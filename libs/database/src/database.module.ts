import type { DynamicModule } from '@nestjs/common';
import { attachmentRepositories } from './attachment/attachment.repositories';
import { auditRepositories } from './audit/audit.repositories';
import { budgetRepositories } from './budget/budget.repositories';
import { commentRepositories } from './comment/comment.repositories';
import { deletionRepositories } from './deletion/deletion.repositories';
import { eventRepositories } from './event/event.repositories';
import { gitAccountRepositories } from './git-account/git-account.repositories';
import { keyRepositories } from './key/key.repositories';
import { ledgerRepositories } from './ledger/ledger.repositories';
import { mcpRepositories } from './mcp/mcp.repositories';
import { permissionRepositories } from './permission/permission.repositories';
import { personaRepositories } from './persona/persona.repositories';
import { presenceRepositories } from './presence/presence.repositories';
import { priceRepositories } from './price/price.repositories';
import { processRepositories } from './process/process.repositories';
import { projectRepositories } from './project/project.repositories';
import { pullRequestRepositories } from './pull-request/pull-request.repositories';
import { queueItemRepositories } from './queue-item/queue-item.repositories';
import { scheduleRepositories } from './schedule/schedule.repositories';
import { searchRepositories } from './search/search.repositories';
import { sessionRepositories } from './session/session.repositories';
import { sharedWorkspaceRepositories } from './shared-workspace/shared-workspace.repositories';
import { teamRepositories } from './team/team.repositories';
import { tokenRepositories } from './token/token.repositories';
import { turnRepositories } from './turn/turn.repositories';
import { usageRepositories } from './usage/usage.repositories';
import { userRepositories } from './user/user.repositories';
import { workerRepositories } from './worker/worker.repositories';
import type { Database } from './connection/database';
import { DATABASE } from './connection/repository-providers';
import { EventLogWriter } from './event/event-log-writer';

const REPOSITORIES = [
  ...attachmentRepositories,
  ...auditRepositories,
  ...budgetRepositories,
  ...commentRepositories,
  ...deletionRepositories,
  ...eventRepositories,
  ...gitAccountRepositories,
  ...keyRepositories,
  ...ledgerRepositories,
  ...mcpRepositories,
  ...permissionRepositories,
  ...personaRepositories,
  ...presenceRepositories,
  ...priceRepositories,
  ...processRepositories,
  ...projectRepositories,
  ...pullRequestRepositories,
  ...queueItemRepositories,
  ...scheduleRepositories,
  ...searchRepositories,
  ...sessionRepositories,
  ...sharedWorkspaceRepositories,
  ...teamRepositories,
  ...tokenRepositories,
  ...turnRepositories,
  ...usageRepositories,
  ...userRepositories,
  ...workerRepositories,
];

/**
 * The connections, the event log and every repository, for a Nest application. Global: each feature stands on it, and
 * there is one database. Both are opened before and closed after the application.
 */
export class DatabaseModule {
  static forRoot({ database, eventLog }: { database: Database; eventLog: EventLogWriter }): DynamicModule {
    return {
      module: DatabaseModule,
      global: true,
      providers: [
        { provide: DATABASE, useValue: database },
        { provide: EventLogWriter, useValue: eventLog },
        ...REPOSITORIES,
      ],
      exports: [DATABASE, EventLogWriter, ...REPOSITORIES],
    };
  }
}
