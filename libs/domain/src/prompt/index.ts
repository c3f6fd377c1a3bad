export {
  assemblePrompt,
  PROMPT_LIMIT_CHARACTERS,
  PROMPT_LIMIT_TOKENS,
  PROMPT_TEMPLATE_VERSION,
  type PromptParts,
  type PromptPersona,
} from './assemble-prompt';
export { type ContextFile } from './untrusted-context';
