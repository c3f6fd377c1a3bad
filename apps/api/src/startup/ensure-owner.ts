import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { TeamRepository, UserRepository, type Database } from '@chirality/database';
import { passwordFault } from '@chirality/domain';
import { ConfigError, type Config, type Logger } from '@chirality/platform';
import { hashPassword } from '../auth/passwords';

const OWNER_NAME = 'Owner';

/**
 * Makes the first account and its team where there is none. A password that was made up here is written once, for the
 * operator, to the file that the configuration names, and has to be changed at first sign-in; it is never logged. Safe
 * to call from several processes at once: one of them makes the account. Throws ConfigError for a configured password
 * that the dashboard would not take either.
 */
export async function ensureOwner(
  database: Database,
  config: Pick<Config, 'ownerEmail' | 'ownerPassword' | 'firstLoginFile' | 'dataDir'>,
  log: Logger,
): Promise<{ created: boolean }> {
  const users = new UserRepository(database);
  if ((await users.count()) > 0) return { created: false };
  if (config.ownerPassword !== null) await refuseWeak(config.ownerPassword, config.ownerEmail);
  const password = config.ownerPassword ?? randomBytes(12).toString('base64url');
  const owner = await users.create({
    email: config.ownerEmail,
    name: OWNER_NAME,
    passwordHash: await hashPassword(password),
    mustChangePassword: config.ownerPassword === null,
  });
  if (!owner) return { created: false };
  await new TeamRepository(database).create({ name: 'Team', timezone: localZone() }, owner.id);
  if (config.ownerPassword === null) await leaveFirstLogin(config, password, log);
  log.info({ userId: owner.id }, 'owner.created');
  return { created: true };
}

async function refuseWeak(password: string, email: string): Promise<void> {
  const fault = await passwordFault(password, { email, name: OWNER_NAME });
  if (fault !== null)
    throw new ConfigError(
      `CHIRALITY_OWNER_PASSWORD cannot be used: ${fault} Or leave it empty: a random password is then printed once.`,
    );
}

async function leaveFirstLogin(
  { ownerEmail, firstLoginFile, dataDir }: Pick<Config, 'ownerEmail' | 'firstLoginFile' | 'dataDir'>,
  password: string,
  log: Logger,
): Promise<void> {
  const file = firstLoginFile ?? `${dataDir}/first-login.json`;
  await writeFile(file, `${JSON.stringify({ email: ownerEmail, password })}\n`, { mode: 0o600 });
  if (firstLoginFile === null)
    log.warn({ file, hint: 'delete the file after signing in' }, 'owner.first_password_written');
}

function localZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC';
}
