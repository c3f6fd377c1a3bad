import { overDatabase } from '../connection/repository-providers';
import { InvitationRepository } from './invitation.repository';
import { TeamRepository } from './team.repository';

export const teamRepositories = overDatabase(InvitationRepository, TeamRepository);
