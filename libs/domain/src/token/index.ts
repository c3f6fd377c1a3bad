export { mayCommand, narrowedScope, reachesProject, reachesSession, reachesTeam } from './token-scope';
export { isTokenValue, isWholeTokenValue, TOKEN_RANDOM_BYTES, tokenValueOf } from './token-value';
export { typedUserCode, USER_CODE_RANDOM_BYTES, userCodeOf } from './user-code';
