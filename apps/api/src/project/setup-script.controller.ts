import { Controller, Get, Param, Put } from '@nestjs/common';
import { putSetupScriptSchema, setupScriptSchema, type SetupScript } from '@chirality/contracts';
import type { Principal } from '../access/principal';
import { CurrentUser } from '../access/current-user.decorator';
import { Answers } from '../core/http/route-notes';
import { JsonBody } from '../core/http/validate';
import { SetupScriptService } from './setup-script.service';

@Controller('v1/projects/:projectId/setup-script')
export class SetupScriptController {
  constructor(private readonly scripts: SetupScriptService) {}

  @Get()
  @Answers(200, setupScriptSchema, 'Get the set-up script that runs in each new copy of the project’s files', {
    problems: ['PROJECT_NOT_FOUND', 'FORBIDDEN'],
  })
  get(@CurrentUser() who: Principal, @Param('projectId') projectId: string): Promise<SetupScript> {
    return this.scripts.get(who, projectId);
  }

  @Put()
  @Answers(200, setupScriptSchema, 'Replace the set-up script; it runs again before the next turn of each session', {
    problems: ['PROJECT_NOT_FOUND', 'FORBIDDEN'],
  })
  replace(
    @CurrentUser() who: Principal,
    @Param('projectId') projectId: string,
    @JsonBody(putSetupScriptSchema) body: SetupScript,
  ): Promise<SetupScript> {
    return this.scripts.replace(who, projectId, body);
  }
}
