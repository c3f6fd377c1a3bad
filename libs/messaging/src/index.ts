export { createMessaging, type Messaging } from './messaging';
export { MessagingModule } from './messaging.module';
export { AttemptCounter, type AttemptLimit } from './attempt-counter';
export { AccessChannel, AheadChannel, PresenceChannel, SessionChannel, TurnSignals } from './channels';
export { EventBus } from './event-bus';
export { MetricsBoard } from './metrics-board';
export { TurnQueue } from './turn-queue';
export { WorkspaceClient } from './workspace-client';
