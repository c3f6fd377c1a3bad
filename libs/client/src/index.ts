export { ChiralityClient, type ClientOptions, type SendOptions } from './chirality-client';
export { ApiError, errorOfResponse, fieldErrorsOf, messageOf, networkError } from './http/api-error';
export { allPages } from './http/all-pages';
export { answerOf, createApi, rowsOf, type Api } from './http/api';
export { serverNow } from './http/server-clock';
export { fixedToken, signedFetch, unsignedFetch, type TokenSource } from './http/signed-fetch';
export { type FollowOptions } from './events/follow-events';
export { openEvents } from './events/open-events';
export { readSse } from './events/read-sse';
export {
  completeSlashCommand,
  parseSlashCommand,
  slashLine,
  type SlashParse,
} from './slash-command/parse-slash-command';
export { isFinal, type WaitOptions } from './turn/wait-for-turn';
export type {
  EventKind,
  Options,
  paths,
  Permission,
  ProblemCode,
  Project,
  Session,
  SessionEvent,
  SlashCommand,
  Turn,
  TurnStatus,
} from './routes';
