export {
  normalizePersonaKey,
  parsePersonaFile,
  personaFileOf,
  personaKeyOf,
  PersonaFileError,
  type PersonaDefinition,
} from './persona-file';
export {
  listPersonas,
  resolvePersona,
  type PersonaCandidate,
  type PersonaChoice,
  type UsablePersona,
} from './resolve-personas';
export { narrowPersona, type PersonaBounds } from './untrusted-persona';
