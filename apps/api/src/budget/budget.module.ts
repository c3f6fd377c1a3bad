import { Module } from '@nestjs/common';
import { AuditModule } from '../audit/audit.module';
import { KeyModule } from '../key/key.module';
import { BudgetGate } from './budget-gate';
import { BudgetsController } from './budgets.controller';
import { BudgetsService } from './budgets.service';

@Module({
  imports: [AuditModule, KeyModule],
  controllers: [BudgetsController],
  providers: [BudgetGate, BudgetsService],
  exports: [BudgetGate],
})
export class BudgetModule {}
