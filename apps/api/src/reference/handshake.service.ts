import { Injectable } from '@nestjs/common';
import {
  ATTACHMENT_LIMIT_BYTES,
  ATTACHMENTS_LIMIT_BYTES,
  COMMANDS,
  EVENT_PAYLOADS,
  EVENTS_PAGE,
  MAX_ATTACHMENTS,
  MAX_UNSENT_COMMENTS,
  MESSAGE_LIMIT_BYTES,
  PROTOCOL_VERSION,
  type Handshake,
} from '@chirality/contracts';
import { Installation } from '../instance/installation';
import { WorkersService } from '../worker/workers.service';
import { ServedFeatures } from './open-api';

const LIMITS = {
  messageBytes: MESSAGE_LIMIT_BYTES,
  attachments: MAX_ATTACHMENTS,
  attachmentBytes: ATTACHMENT_LIMIT_BYTES,
  attachmentsBytes: ATTACHMENTS_LIMIT_BYTES,
  eventsPage: EVENTS_PAGE,
  unsentComments: MAX_UNSENT_COMMENTS,
};

/** What this server is and can do, each list from what it is made of. */
@Injectable()
export class HandshakeService {
  constructor(
    private readonly installation: Installation,
    private readonly workers: WorkersService,
    private readonly served: ServedFeatures,
  ) {}

  async describe(): Promise<Handshake> {
    return {
      protocolVersion: PROTOCOL_VERSION,
      serverVersion: this.installation.version,
      eventKinds: Object.keys(EVENT_PAYLOADS),
      commands: [...COMMANDS],
      features: this.served.features,
      limits: LIMITS,
      harnesses: (await this.workers.harnesses()).data,
    };
  }
}
