import { GitAccountRepository, ModelKeyRepository, ProjectVariableRepository } from '@chirality/database';
import { gitAccountSealOf, modelKeySealOf, variableSealOf } from '@chirality/domain';
import { SecretBox, SecretBoxError } from '@chirality/platform';
import type { Services } from '../server/services';

/**
 * Seals stored keys, variables and git accounts again that an earlier secret key sealed, so that it can be forgotten.
 * Several processes may do this at once. What no configured secret key opens is named in the log and stays: it has to
 * be entered again.
 */
export async function resealStored({
  config,
  database,
  log,
}: Pick<Services, 'config' | 'database' | 'log'>): Promise<void> {
  const box = new SecretBox(config.secretKey, config.previousSecretKeys);
  let unopened = 0;
  const renew = (what: string, sealed: Buffer, seal: string): Buffer | null => {
    if (!box.isOutdated(sealed)) return null;
    try {
      return box.seal(box.open(sealed, seal), seal);
    } catch (error) {
      if (!(error instanceof SecretBoxError)) throw error;
      unopened += 1;
      log.error(
        {
          what,
          reason: error.message,
          hint: 'give the secret key that sealed it in CHIRALITY_PREVIOUS_SECRET_KEYS, or enter the value again',
        },
        'secret_key.value_not_opened',
      );
      return null;
    }
  };
  const keys = await new ModelKeyRepository(database).reseal((keyId, sealed) =>
    renew(keyId, sealed, modelKeySealOf(keyId)),
  );
  const variables = await new ProjectVariableRepository(database).reseal((projectId, name, cipher) =>
    renew(`${projectId} ${name}`, cipher, variableSealOf(projectId, name)),
  );
  const gitAccounts = await new GitAccountRepository(database).reseal((ownerId, accountId, sealed) =>
    renew(accountId, sealed, gitAccountSealOf(ownerId, accountId)),
  );
  if (keys + variables + gitAccounts > 0) log.info({ keys, variables, gitAccounts }, 'secret_key.values_sealed_again');
  else if (unopened === 0 && config.previousSecretKeys.length > 0) log.info('secret_key.no_earlier_needed');
}
