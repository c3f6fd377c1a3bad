export { normalizePersonaKey, parsePersonaFile, personaKeyOf, PersonaFileError, type PersonaDefinition } from './persona-file';
export { mergePersonas, narrowedPersona, widens as personaWidens } from './untrusted-persona';
