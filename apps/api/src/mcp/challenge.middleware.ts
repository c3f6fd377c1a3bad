import type { Config } from '@chirality/platform';
import type { RequestHandler } from 'express';

/** A refusal of what has no token, or a bad one, says where one is to be had. */
export function challengeOfMcp({ publicUrl }: Pick<Config, 'publicUrl'>): RequestHandler {
  const challenge = `Bearer resource_metadata="${publicUrl}/.well-known/oauth-protected-resource/mcp"`;
  return (_request, response, next) => {
    response.locals['challenge'] = challenge;
    next();
  };
}
