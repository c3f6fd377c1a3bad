import { overDatabase } from '../connection/repository-providers';
import { PriceRepository } from './price.repository';

export const priceRepositories = overDatabase(PriceRepository);
