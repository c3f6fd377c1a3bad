import { overDatabase } from '../connection/repository-providers';
import { BudgetSpendingRepository } from './budget-spending.repository';
import { BudgetRepository } from './budget.repository';

export const budgetRepositories = overDatabase(BudgetSpendingRepository, BudgetRepository);
