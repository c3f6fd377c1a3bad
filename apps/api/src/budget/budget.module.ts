import { Module } from '@nestjs/common';
import { AuditModule } from '../audit/audit.module';
import { KeyModule } from '../key/key.module';
import { BudgetCheck } from './budget-check';
import { BudgetsController } from './budgets.controller';
import { BudgetsService } from './budgets.service';

@Module({
  imports: [AuditModule, KeyModule],
  controllers: [BudgetsController],
  providers: [BudgetCheck, BudgetsService],
  exports: [BudgetCheck],
})
export class BudgetModule {}
