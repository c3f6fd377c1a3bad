export { createMessaging, type Messaging } from './messaging';
export { MESSAGING, MessagingModule } from './messaging.module';
