import { Controller, Delete, Get, Param, Patch, Post } from '@nestjs/common';
import {
  budgetQuerySchema,
  budgetSchema,
  createBudgetSchema,
  pageSchema,
  updateBudgetSchema,
  type Budget,
  type CreateBudget,
  type Page,
} from '@chirality/contracts';
import type { z } from 'zod';
import type { Principal } from '../access/principal';
import { CurrentUser } from '../access/current-user.decorator';
import { Answers } from '../core/http/route-notes';
import { JsonBody, QueryOf } from '../core/http/validate';
import { BudgetsService } from './budgets.service';

@Controller('v1/budgets')
export class BudgetsController {
  constructor(private readonly budgets: BudgetsService) {}

  @Get()
  @Answers(200, pageSchema(budgetSchema), 'List budgets of a team with what was spent; a member sees their own', {
    problems: ['NOT_FOUND', 'FORBIDDEN'],
  })
  list(
    @CurrentUser() who: Principal,
    @QueryOf(budgetQuerySchema) query: z.infer<typeof budgetQuerySchema>,
  ): Promise<Page<Budget>> {
    return this.budgets.list(who, query.teamId);
  }

  @Post()
  @Answers(201, budgetSchema, 'Create a budget for a team, project, session or person', {
    problems: ['NOT_FOUND', 'FORBIDDEN', 'CONFLICT'],
  })
  create(@CurrentUser() who: Principal, @JsonBody(createBudgetSchema) body: CreateBudget): Promise<Budget> {
    return this.budgets.create(who, body);
  }

  @Patch(':budgetId')
  @Answers(200, budgetSchema, 'Change the limit of a budget, for running turns too', {
    problems: ['NOT_FOUND', 'FORBIDDEN'],
  })
  update(
    @CurrentUser() who: Principal,
    @Param('budgetId') budgetId: string,
    @JsonBody(updateBudgetSchema) body: z.infer<typeof updateBudgetSchema>,
  ): Promise<Budget> {
    return this.budgets.setLimit(who, budgetId, body.limitUsd);
  }

  @Delete(':budgetId')
  @Answers(204, null, 'Delete a budget', { problems: ['NOT_FOUND', 'FORBIDDEN'] })
  remove(@CurrentUser() who: Principal, @Param('budgetId') budgetId: string): Promise<void> {
    return this.budgets.remove(who, budgetId);
  }
}
