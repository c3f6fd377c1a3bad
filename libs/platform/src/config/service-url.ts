import { ConfigError } from './config-error';

/**
 * Checks the address of a service. One that cannot be right is refused in words that hold no part of it: a password with
 * an unencoded `@`, `/`, `#`, `?` or `%` would be cut in two, and half of it would be looked up, and logged, as a host.
 */
function checkServiceUrl(variable: string, value: string, form: RegExp, example: string): string {
  if (value === '')
    throw new ConfigError(`${variable} is empty: set it (${example}), or start with npm start, which brings its own`);
  if (!form.test(value)) throw new ConfigError(`${variable} must look like ${example}`);
  if (!hasEncodedCredentials(value)) {
    throw new ConfigError(
      `${variable}: its user name or password holds a character that must be percent-encoded (@ as %40, / as %2F, # as %23, ? as %3F, % as %25); encode it and start again`,
    );
  }
  return value;
}

/** What stands before the last `@` is user name and password, and nothing that ends them may be in it. */
function hasEncodedCredentials(value: string): boolean {
  const rest = /^[a-z]+:\/\/(.*)$/is.exec(value)?.[1] ?? '';
  const credentials = rest.slice(0, Math.max(0, rest.lastIndexOf('@')));
  return !/[@/?#\s[\]]|%(?![0-9a-f]{2})/i.test(credentials);
}

const POSTGRES = { form: /^postgres(ql)?:\/\//, example: 'postgresql://user:password@host/database' };
const REDIS = { form: /^(rediss?:\/\/|unix:\/)/, example: 'redis://host:6379 or unix:/path/to/redis.sock' };

/** Throws ConfigError where `value` cannot be the address of a Postgres. */
export function checkDatabaseUrl(value: string): string {
  return checkServiceUrl('DATABASE_URL', value, POSTGRES.form, POSTGRES.example);
}

/** Throws ConfigError where `value` cannot be the address of a Redis. */
export function checkRedisUrl(value: string): string {
  return checkServiceUrl('REDIS_URL', value, REDIS.form, REDIS.example);
}
