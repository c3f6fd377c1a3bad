import { overDatabase } from '../connection/repository-providers';
import { SharedWorkspacePointerRepository } from './shared-workspace-pointer.repository';
import { SharedWorkspaceRepository } from './shared-workspace.repository';

export const sharedWorkspaceRepositories = overDatabase(SharedWorkspacePointerRepository, SharedWorkspaceRepository);
