export {
  assemblePrompt,
  PROMPT_LIMIT_CHARACTERS,
  PROMPT_TEMPLATE_VERSION,
  type PromptPersona,
} from './assemble-prompt';
