export { parseGitAddress, whyNoGitAddress, type GitAddress } from './git-address';
