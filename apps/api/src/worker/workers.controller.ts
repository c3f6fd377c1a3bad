import { Controller, Get } from '@nestjs/common';
import {
  harnessSchema,
  pageSchema,
  queueSchema,
  workerSchema,
  type Harness,
  type Page,
  type QueueState,
  type Worker,
} from '@chirality/contracts';
import type { Principal } from '../access/principal';
import { CurrentUser } from '../access/current-user.decorator';
import { Answers } from '../core/http/route-notes';
import { WorkersService } from './workers.service';

@Controller('v1')
export class WorkersController {
  constructor(private readonly workers: WorkersService) {}

  @Get('workers')
  @Answers(200, pageSchema(workerSchema), 'List workers, what they run and whether their sandbox is proven')
  list(): Promise<Page<Worker>> {
    return this.workers.list();
  }

  @Get('queue')
  @Answers(200, queueSchema, 'List queued and running turns of my teams')
  queue(@CurrentUser() who: Principal): Promise<QueueState> {
    return this.workers.queue(who);
  }

  @Get('harnesses')
  @Answers(200, pageSchema(harnessSchema), 'List harnesses, and which of them are available here')
  harnesses(): Promise<Page<Harness>> {
    return this.workers.harnesses();
  }
}
