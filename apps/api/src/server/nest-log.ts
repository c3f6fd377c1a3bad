import type { LoggerService } from '@nestjs/common';
import type { Logger } from '@chirality/platform';

/** Nest's own messages in our log: faults as they are, its chatter at debug. */
export class NestLog implements LoggerService {
  constructor(private readonly logger: Logger) {}

  log(message: unknown, context?: string): void {
    this.logger.debug({ context }, String(message));
  }

  error(message: unknown, ...rest: unknown[]): void {
    const stack = rest.find((part): part is string => typeof part === 'string' && part.includes('\n'));
    this.logger.error({ err: message instanceof Error ? message : undefined, stack }, String(message));
  }

  warn(message: unknown, context?: string): void {
    this.logger.warn({ context }, String(message));
  }

  debug(message: unknown, context?: string): void {
    this.logger.trace({ context }, String(message));
  }

  verbose(message: unknown, context?: string): void {
    this.logger.trace({ context }, String(message));
  }

  fatal(message: unknown): void {
    this.logger.fatal(String(message));
  }
}
