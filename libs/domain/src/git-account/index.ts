export {
  DEFAULT_GIT_USERNAME,
  gitAccountMasks,
  gitAccountSealOf,
  gitWebhookSealOf,
  gitTokenFault,
  gitUsernameFault,
} from './git-account';
