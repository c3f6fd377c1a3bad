export {
  DEFAULT_GIT_USERNAME,
  gitAccountMasks,
  gitAccountSealOf,
  gitTokenFault,
  gitUsernameFault,
} from './git-account';
