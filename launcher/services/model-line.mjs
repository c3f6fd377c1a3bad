/**
 * Which model answers, in one sentence; never the key itself.
 * @param {NodeJS.ProcessEnv} env
 */
export function modelLine(env) {
  const isSet = (/** @type {string} */ name) => (env[name] ?? '').trim() !== '';
  if (isSet('ANTHROPIC_API_KEY'))
    return isSet('ANTHROPIC_BASE_URL')
      ? 'Claude answers at ANTHROPIC_BASE_URL, with the key in ANTHROPIC_API_KEY.'
      : 'Claude answers, with the key in ANTHROPIC_API_KEY.';
  if (isSet('ANTHROPIC_BASE_URL')) return 'Claude answers at ANTHROPIC_BASE_URL, without a key.';
  return 'No API key was found (ANTHROPIC_API_KEY): the demo model answers, free of charge, where no team or person has set a key.';
}
