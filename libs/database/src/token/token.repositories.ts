import { overDatabase } from '../connection/repository-providers';
import { ApiTokenRepository } from './api-token.repository';
import { DeviceCodeRepository } from './device-code.repository';
import { ServiceAccountRepository } from './service-account.repository';

export const tokenRepositories = overDatabase(ApiTokenRepository, DeviceCodeRepository, ServiceAccountRepository);
