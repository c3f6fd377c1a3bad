import type { DynamicModule } from '@nestjs/common';
import type { Messaging } from './messaging';

/** Where a Nest application finds everything that goes over Redis. */
export const MESSAGING = Symbol('messaging');

/** Queues, buses and hints, for a Nest application. Global: there is one Redis. It is opened before and closed after the application. */
export class MessagingModule {
  static forRoot(messaging: Messaging): DynamicModule {
    return {
      module: MessagingModule,
      global: true,
      providers: [{ provide: MESSAGING, useValue: messaging }],
      exports: [MESSAGING],
    };
  }
}
