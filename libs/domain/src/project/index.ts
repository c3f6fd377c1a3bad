export { parseGitAddress, whyNoGitAddress } from './git-address';
export { STARTER_PROMPTS } from './starter-prompts';
