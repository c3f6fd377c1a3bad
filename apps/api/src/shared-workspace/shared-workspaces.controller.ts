import { Controller, Get, Param } from '@nestjs/common';
import { sessionWorkspaceSchema, type SessionWorkspace } from '@chirality/contracts';
import { CurrentUser } from '../access/current-user.decorator';
import type { Principal } from '../access/principal';
import { Answers } from '../core/http/route-notes';
import { SharedWorkspacesService } from './shared-workspaces.service';

@Controller('v1/sessions/:sessionId/workspace')
export class SharedWorkspacesController {
  constructor(private readonly workspaces: SharedWorkspacesService) {}

  @Get()
  @Answers(
    200,
    sessionWorkspaceSchema,
    'Get whose files a session works in, with which sessions it shares them, and who works in them now',
    { problems: ['SESSION_NOT_FOUND'] },
  )
  get(@CurrentUser() who: Principal, @Param('sessionId') sessionId: string): Promise<SessionWorkspace> {
    return this.workspaces.get(who, sessionId);
  }
}
