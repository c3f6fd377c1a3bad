export { parseGitAddress, whyNoGitAddress, type GitAddress } from './git-address';
export { STARTER_PROMPTS, type StarterPrompt } from './starter-prompts';
