import { Inject, Injectable } from '@nestjs/common';
import { LOG, type Logger } from '@chirality/platform';
import { DeniedActs } from '../audit/denied-acts';
import { PermissionsService } from '../permission/permissions.service';
import { ProjectsService } from '../project/projects.service';
import { SessionsService } from '../session/sessions.service';
import { TurnActsService } from '../turn/turn-acts.service';
import { McpSessionsService } from './mcp-sessions.service';
import { McpTurnsService } from './mcp-turns.service';

/** The services behind the tools, one for each act. */
@Injectable()
export class McpServices {
  constructor(
    readonly sessions: SessionsService,
    readonly projects: ProjectsService,
    readonly permissions: PermissionsService,
    readonly acts: TurnActsService,
    readonly turns: McpTurnsService,
    readonly mcpSessions: McpSessionsService,
    readonly denied: DeniedActs,
    @Inject(LOG) readonly log: Logger,
  ) {}
}
