import type { components, paths } from './generated/openapi';

export type { paths };

type Schemas = components['schemas'];

export type Session = Schemas['Session'];
export type Turn = Schemas['Turn'];
export type TurnStatus = Turn['status'];
/** The options of a session or turn. */
export type Options = Schemas['Options'];
export type Permission = Schemas['Permission'];
export type Project = Schemas['Project'];

/** A command of a message that begins with a slash. */
export type SlashCommand = paths['/v1/slash-commands']['get']['responses'][200]['content']['application/json'][number];

/** The codes of the problem documents that routes refuse with. They are stable; a later server may add some. */
export type ProblemCode = Schemas['Problem']['code'];

export type EventKind = keyof Schemas['EventPayloads'];

/** One event of a session: `id` counts 1, 2, 3 … Kinds that this release does not know arrive as well: ignore them. */
export type SessionEvent<Kind extends EventKind = EventKind> = {
  [K in Kind]: Pick<Schemas['Envelope'], 'id' | 'session' | 'turn' | 'originator' | 'ts'> & {
    kind: K;
    payload: Schemas['EventPayloads'][K];
  };
}[Kind];
