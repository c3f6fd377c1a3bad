export { DEFAULT_GIT_USERNAME, gitAccountSealOf, gitTokenFault, gitUsernameFault } from './git-account';
