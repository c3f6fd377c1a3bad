import { COMMAND_INPUTS, type Command, type CommandInput, type CommandWarning } from '@chirality/contracts';
import type { z } from 'zod';
import { parseOrRefuse, refuseNul } from '../core/http/validate';

/** Texts that are kept as they came, whatever is in them. */
const TAKES_NUL: readonly Command[] = ['turn:send', 'permission:answer'];
const MAX_WARNINGS = 20;

type Read<C extends Command> = { input: CommandInput<C>; warnings: CommandWarning[] };

/**
 * What a command takes, read from what a client sent. Members that this release does not know are left out, and named
 * in a warning, so that a newer client is understood as far as possible; a route refuses them. Throws
 * VALIDATION_FAILED.
 */
export function readCommandInput<C extends Command>(command: C, sent: object): Read<C> {
  const schema: z.ZodType = COMMAND_INPUTS[command];
  const value = structuredClone(sent);
  const warnings = removeUnknown(value, schema.safeParse(value).error);
  const input = parseOrRefuse(schema, value, 'command') as CommandInput<C>;
  if (!TAKES_NUL.includes(command)) refuseNul(input, 'command');
  return { input, warnings };
}

function removeUnknown(value: object, error: z.ZodError | undefined): CommandWarning[] {
  const unknown = (error?.issues ?? []).flatMap((issue) =>
    issue.code === 'unrecognized_keys' ? issue.keys.map((key) => [...issue.path, key]) : [],
  );
  for (const path of unknown) removeAt(value, path);
  return unknown.slice(0, MAX_WARNINGS).map((path) => {
    const field = path.map(String).join('.').slice(0, 200);
    return { code: 'UNKNOWN_FIELD', field, detail: `This server does not know ${field}. It was ignored.` };
  });
}

function removeAt(value: object, path: PropertyKey[]): void {
  const holder = path.slice(0, -1).reduce<unknown>((at, key) => (at as Record<PropertyKey, unknown>)[key], value);
  const key = path.at(-1);
  if (key !== undefined) Reflect.deleteProperty(holder as object, key);
}
