import { Controller, Get } from '@nestjs/common';
import { meSchema, type Me } from '@chirality/contracts';
import type { Principal } from '../auth/principal';
import { Who } from '../auth/who.decorator';
import { Answers, BeforePasswordChange } from '../http/route-notes';
import { TeamsService } from '../team/teams.service';

@Controller('v1/me')
export class MeController {
  constructor(private readonly teams: TeamsService) {}

  @BeforePasswordChange()
  @Get()
  @Answers(200, meSchema, 'Who is signed in, and their teams')
  async me(@Who() who: Principal): Promise<Me> {
    return { user: who.user, teams: (await this.teams.list(who)).data };
  }
}
