import { Inject, Injectable } from '@nestjs/common';
import type { ListResourcesResult, ReadResourceResult } from '@modelcontextprotocol/sdk/types.js';
import type { FileContent } from '@chirality/contracts';
import { EventRepository } from '@chirality/database';
import { LOG, type Logger } from '@chirality/platform';
import { requireCommand, type Principal } from '../access/principal';
import { SessionAccess } from '../access/session-access';
import { DeniedActs } from '../audit/denied-acts';
import { problems } from '../core/problem/problems';
import { cursorAhead } from '../event/events.service';
import { pagesBySize } from '../event/follow-feed';
import { TranscriptService } from '../event/transcript.service';
import { FilesService } from '../file/files.service';
import { HandshakeService } from '../reference/handshake.service';
import { SessionsService } from '../session/sessions.service';
import { WorkersService } from '../worker/workers.service';
import { logOf } from './log-text';
import { protocolError } from './mcp-results';
import { FIXED_RESOURCES, resourceOf, sessionUri } from './mcp-uris';

const JSON_TYPE = 'application/json';
const LISTED = 50;
const LIST_URI = FIXED_RESOURCES[0].uri;
const EVENTS_PAGE = 500;

/** What a program reads here. All of it is behind the command `events:read`, as the same things are over HTTP. */
@Injectable()
export class McpResourcesService {
  constructor(
    private readonly access: SessionAccess,
    private readonly sessions: SessionsService,
    private readonly events: EventRepository,
    private readonly transcripts: TranscriptService,
    private readonly files: FilesService,
    private readonly workers: WorkersService,
    private readonly handshake: HandshakeService,
    private readonly denied: DeniedActs,
    @Inject(LOG) private readonly log: Logger,
  ) {}

  /**
   * What is behind `events:read`, for a resource. What is refused is an error of the protocol, and in the audit log
   * where a right or claim was missing.
   */
  async guarded<T>(who: Principal, uri: string, act: () => Promise<T>): Promise<T> {
    try {
      requireCommand(who, 'events:read');
      return await act();
    } catch (error) {
      const resource = resourceOf(uri);
      const session = resource !== null && 'sessionId' in resource ? resource.sessionId : undefined;
      void this.denied.noteRefusal(who, 'events:read', { session }, error);
      throw protocolError(error, this.log, uri);
    }
  }

  list(who: Principal, cursor: string | undefined): Promise<ListResourcesResult> {
    return this.guarded(who, LIST_URI, () => this.listed(who, cursor));
  }

  read(who: Principal, uri: string): Promise<ReadResourceResult> {
    return this.guarded(who, uri, async () => ({ contents: [{ uri, ...(await this.content(who, uri)) }] }));
  }

  private async listed(who: Principal, cursor: string | undefined): Promise<ListResourcesResult> {
    const page = await this.sessions.list(who, { archived: false, cursor, limit: LISTED });
    const sessions = page.data.map(({ id, title, status }) => ({
      uri: sessionUri(id),
      name: title,
      description: `A session, ${status}.`,
      mimeType: JSON_TYPE,
    }));
    const fixed = cursor === undefined ? FIXED_RESOURCES.map((each) => ({ ...each, mimeType: JSON_TYPE })) : [];
    return { resources: [...fixed, ...sessions], ...(page.nextCursor ? { nextCursor: page.nextCursor } : {}) };
  }

  private async content(who: Principal, uri: string) {
    const resource = resourceOf(uri);
    switch (resource?.kind) {
      case 'sessions':
        return json(await this.sessions.list(who, { archived: false, limit: LISTED }));
      case 'harnesses':
        return json(await this.workers.harnesses());
      case 'runtime':
        return json(await this.handshake.describe());
      case 'session':
        return json(await this.access.forReading(who, resource.sessionId));
      case 'events':
        return json(await this.eventsOf(who, resource.sessionId, resource.since));
      case 'log': {
        const { transcript, earlier } = await this.transcripts.newest(who, resource.sessionId);
        return { mimeType: 'text/markdown', text: logOf(transcript, earlier !== null) };
      }
      case 'file':
        return fileOf(await this.files.read(who, resource.sessionId, resource.path));
      case undefined:
        throw problems.notFound('resource');
    }
  }

  /** At most about a mebibyte at once. Throws CURSOR_AHEAD, as every other way to read them does. */
  private async eventsOf(who: Principal, sessionId: string, since: number) {
    const session = await this.access.forReading(who, sessionId);
    const lastEventId = since === 0 ? 0 : await this.events.lastEventId(session.id);
    if (since > lastEventId) throw cursorAhead(lastEventId);
    const read = await this.events.readEvents(session.id, { after: since, limit: EVENTS_PAGE });
    const [data = []] = pagesBySize(read);
    const through = data.at(-1)?.id ?? since;
    return { data, through, more: data.length < read.length || read.length === EVENTS_PAGE };
  }
}

function json(value: unknown) {
  return { mimeType: JSON_TYPE, text: JSON.stringify(value) };
}

/** Nothing is said of what a file is: a client that shows it decides by its own look. */
function fileOf({ encoding, content }: FileContent) {
  return encoding === 'utf8'
    ? { mimeType: 'text/plain', text: content }
    : { mimeType: 'application/octet-stream', blob: content };
}
