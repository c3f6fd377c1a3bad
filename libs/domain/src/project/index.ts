export { pushTargetOf } from './push-target';
export { branchNameOf, isBranchNameSafe, whyNoBranchPattern } from './branch-name';
export { conflictMessage } from './conflict-message';
export {
  gitHostOf,
  isBranchName,
  parseGitAddress,
  parseGitHost,
  whyNoGitAddress,
  type GitAddress,
} from './git-address';
export { isBesideProject, submoduleAddress } from './submodule-address';
export { STARTER_PROMPTS } from './starter-prompts';
