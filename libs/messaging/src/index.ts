export { createMessaging, type Messaging } from './messaging';
export { type AccessChange } from './access-bus';
export type { SessionChange } from './session-change-bus';
