import type { DynamicModule, Type } from '@nestjs/common';
import type { Messaging } from './messaging';

/**
 * Each queue, bus and channel under its class, for a Nest application. Global: there is one Redis. It is connected
 * before and let go after the application.
 */
export class MessagingModule {
  static forRoot(messaging: Messaging): DynamicModule {
    const parts = Object.values<unknown>({ ...messaging }).filter((part) => typeof part === 'object');
    const providers = parts.map((part) => ({ provide: (part as object).constructor as Type, useValue: part }));
    return { module: MessagingModule, global: true, providers, exports: providers };
  }
}
