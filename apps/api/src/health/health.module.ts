import { Module } from '@nestjs/common';
import { AccessModule } from '../access/access.module';
import { HealthController } from './health.controller';

@Module({
  imports: [AccessModule],
  controllers: [HealthController],
})
export class HealthModule {}
