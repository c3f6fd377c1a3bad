import { Module } from '@nestjs/common';
import { AuditModule } from '../audit/audit.module';
import { InstanceModule } from '../instance/instance.module';
import { ModelsController } from './models.controller';
import { PricesService } from './prices.service';
import { UsageController } from './usage.controller';
import { UsageService } from './usage.service';

@Module({
  imports: [AuditModule, InstanceModule],
  controllers: [ModelsController, UsageController],
  providers: [PricesService, UsageService],
  exports: [UsageService],
})
export class UsageModule {}
