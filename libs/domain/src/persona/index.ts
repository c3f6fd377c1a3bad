export {
  normalizePersonaKey,
  parsePersonaFile,
  personaFileOf,
  personaKeyOf,
  PersonaFileError,
  type PersonaDefinition,
} from './persona-file';
export { listPersonas, resolvePersona, type PersonaCandidate, type UsablePersona } from './resolve-personas';
export { type PersonaBounds } from './untrusted-persona';
