export { createMessaging, type Messaging } from './messaging';
