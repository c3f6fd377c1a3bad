import { overDatabase } from '../connection/repository-providers';
import { PersonaTextRepository } from './persona-text.repository';
import { PersonaRepository } from './persona.repository';
import { ProjectPersonaRepository } from './project-persona.repository';

export const personaRepositories = overDatabase(PersonaTextRepository, PersonaRepository, ProjectPersonaRepository);
