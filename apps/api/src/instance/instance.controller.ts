import { Controller, Get } from '@nestjs/common';
import { instanceSchema, type Instance } from '@chirality/contracts';
import { Answers } from '../core/http/route-notes';
import { InstanceService } from './instance.service';

@Controller('v1/instance')
export class InstanceController {
  constructor(private readonly instance: InstanceService) {}

  @Get()
  @Answers(200, instanceSchema, 'Get what every page shows about this installation')
  describe(): Promise<Instance> {
    return this.instance.describe();
  }
}
