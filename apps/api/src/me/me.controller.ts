import { Controller, Delete, Get, Param, Patch } from '@nestjs/common';
import {
  deviceSchema,
  meSchema,
  pageSchema,
  updateMeSchema,
  userSchema,
  type Device,
  type Me,
  type Page,
  type UpdateMe,
  type User,
} from '@chirality/contracts';
import type { Principal } from '../access/principal';
import { CurrentUser } from '../access/current-user.decorator';
import { Answers, BeforePasswordChange } from '../core/http/route-notes';
import { JsonBody } from '../core/http/validate';
import { TeamsService } from '../team/teams.service';
import { DevicesService } from './devices.service';
import { ProfileService } from './profile.service';

@Controller('v1/me')
export class MeController {
  constructor(
    private readonly teams: TeamsService,
    private readonly profile: ProfileService,
    private readonly devices: DevicesService,
  ) {}

  @BeforePasswordChange()
  @Get()
  @Answers(200, meSchema, 'Get the signed-in user and their teams')
  async me(@CurrentUser() who: Principal): Promise<Me> {
    return { user: who.user, teams: (await this.teams.list(who)).data };
  }

  @Patch()
  @Answers(200, userSchema, 'Change my display name, or with my password my e-mail address', {
    problems: ['FORBIDDEN', 'CONFLICT', 'RATE_LIMITED'],
  })
  update(@CurrentUser() who: Principal, @JsonBody(updateMeSchema) body: UpdateMe): Promise<User> {
    return this.profile.update(who, body);
  }

  @Get('devices')
  @Answers(200, pageSchema(deviceSchema), 'List the devices where I am signed in, last used first')
  listDevices(@CurrentUser() who: Principal): Promise<Page<Device>> {
    return this.devices.list(who);
  }

  @Delete('devices')
  @Answers(204, null, 'Sign out on all other devices')
  signOutOthers(@CurrentUser() who: Principal): Promise<void> {
    return this.devices.signOutOthers(who);
  }

  @Delete('devices/:deviceId')
  @Answers(204, null, 'Sign out on one device', { problems: ['NOT_FOUND'] })
  signOut(@CurrentUser() who: Principal, @Param('deviceId') deviceId: string): Promise<void> {
    return this.devices.signOut(who, deviceId);
  }
}
