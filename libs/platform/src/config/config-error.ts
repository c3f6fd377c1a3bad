/** Configuration that cannot be used. The message names the variable and says what to put there; it never quotes a secret. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}
