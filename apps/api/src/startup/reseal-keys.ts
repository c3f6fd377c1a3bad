import { ModelKeyRepository } from '@chirality/database';
import { modelKeySealOf } from '@chirality/domain';
import { SecretBox, SecretBoxError } from '@chirality/platform';
import type { Services } from '../server/services';

/**
 * Seals stored keys again that an earlier secret key sealed, so that it can be forgotten. Several processes may do this
 * at once. One that no configured secret key opens is named in the log and stays: it has to be entered again.
 */
export async function resealKeys({ config, database, log }: Pick<Services, 'config' | 'database' | 'log'>): Promise<void> {
  const box = new SecretBox(config.secretKey, config.previousSecretKeys);
  const count = await new ModelKeyRepository(database).reseal((keyId, sealed) => {
    if (!box.isOutdated(sealed)) return null;
    try {
      return box.seal(box.open(sealed, modelKeySealOf(keyId)), modelKeySealOf(keyId));
    } catch (error) {
      if (!(error instanceof SecretBoxError)) throw error;
      log.error({ key: keyId, reason: error.message }, 'a stored key cannot be opened: give the secret key that sealed it in CHIRALITY_PREVIOUS_SECRET_KEYS, or enter the key again');
      return null;
    }
  });
  if (count > 0) log.info({ count }, 'stored keys were sealed again with the new secret key');
  else if (config.previousSecretKeys.length > 0) log.info('no stored key needs an earlier secret key any more');
}
