import { overDatabase } from '../connection/repository-providers';
import { IdentityRepository } from './identity.repository';
import { PasswordResetRepository } from './password-reset.repository';
import { RefreshFamilyRepository } from './refresh-family.repository';
import { UserRepository } from './user.repository';

export const userRepositories = overDatabase(
  IdentityRepository,
  PasswordResetRepository,
  RefreshFamilyRepository,
  UserRepository,
);
