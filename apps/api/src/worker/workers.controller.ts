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
import { Who } from '../access/who.decorator';
import { Answers } from '../core/http/route-notes';
import { WorkersService } from './workers.service';

@Controller('v1')
export class WorkersController {
  constructor(private readonly workers: WorkersService) {}

  @Get('workers')
  @Answers(200, pageSchema(workerSchema), 'Workers, what they run and whether their sandbox is proven')
  list(): Promise<Page<Worker>> {
    return this.workers.list();
  }

  @Get('queue')
  @Answers(200, queueSchema, 'Turns of my teams that wait and run')
  queue(@Who() who: Principal): Promise<QueueState> {
    return this.workers.queue(who);
  }

  @Get('harnesses')
  @Answers(200, pageSchema(harnessSchema), 'Harnesses, and which of them can be had here')
  harnesses(): Promise<Page<Harness>> {
    return this.workers.harnesses();
  }
}
