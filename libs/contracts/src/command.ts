import { z } from 'zod';

/**
 * What a client can ask of the server. A token names those that it may; every route stands for one of them or takes
 * no tokens.
 */
export const COMMANDS = [
  'session:create',
  'session:attach',
  'session:detach',
  'session:end',
  'session:set_model',
  'turn:send',
  'turn:interrupt',
  'permission:answer',
  'plan:enter',
  'plan:exit',
  'events:read',
  'usage:read',
  'custom',
] as const;
export const commandSchema = z.enum(COMMANDS);
export type Command = z.infer<typeof commandSchema>;
