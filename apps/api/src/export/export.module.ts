import { Module } from '@nestjs/common';
import { AccessModule } from '../access/access.module';
import { EventModule } from '../event/event.module';
import { ExportsController } from './exports.controller';
import { ExportsService } from './exports.service';

@Module({ imports: [AccessModule, EventModule], controllers: [ExportsController], providers: [ExportsService] })
export class ExportModule {}
