import type { MaskPattern } from '../masking';
import { variableMasks } from '../variable/variable-masks';

/** A shorter one could not be masked. */
const MIN_TOKEN_LENGTH = 8;
const MAX_TOKEN_LENGTH = 4_096;
const TOKEN = /^[\x21-\x7e]+$/;
const USERNAME = /^[^\p{Cc}:]{1,200}$/u;

/** The user name that hosts take beside a token, where a person names none: they look at the token alone. */
export const DEFAULT_GIT_USERNAME = 'git';

/**
 * What the secret of a git account is sealed for (the `aad` of SecretBox): moved to another account, or to another
 * user's or team's, it does not open. `ownerId`: the team's id or the user's.
 */
export function gitAccountSealOf(ownerId: string, accountId: string): string {
  return `git-account:${ownerId}:${accountId}`;
}

/** What the secret of a project's webhook is sealed for. */
export function gitWebhookSealOf(projectId: string, webhookId: string): string {
  return `git-webhook:${projectId}:${webhookId}`;
}

/** Why a token cannot be one, in a sentence that does not quote it; null when it can. */
export function gitTokenFault(token: string): string | null {
  if (token === '') return 'Paste the token.';
  if (/[\r\n]/.test(token)) return 'This is more than one line. Paste the token alone.';
  if (!TOKEN.test(token)) return 'There is a space or a sign in this token that no token has. Copy it again.';
  if (token.length < MIN_TOKEN_LENGTH) return 'This token is incomplete. Copy the whole token again.';
  return token.length > MAX_TOKEN_LENGTH ? 'This is too long for a token. Paste the token alone.' : null;
}

/**
 * What hides an account's secret in what a host says: as it is, and as the header of a request spells it beside the
 * user name, of which the secret's own base64 is no part.
 */
export function gitAccountMasks(username: string | null, secret: string): MaskPattern[] {
  return variableMasks([secret, `${username ?? DEFAULT_GIT_USERNAME}:${secret}`]);
}

/** Why a user name cannot be sent with a token; null when it can. */
export function gitUsernameFault(username: string): string | null {
  return USERNAME.test(username) ? null : 'The user name must not contain colons or control characters.';
}
