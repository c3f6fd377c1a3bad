import { Controller, Get, Param, Post } from '@nestjs/common';
import { commitRequestSchema, diffQuerySchema, diffSchema, fileContentSchema, fileEntrySchema, fileQuerySchema, pageSchema, type FileContent, type FileEntry, type Page, type WorkspaceDiff } from '@chirality/contracts';
import { z } from 'zod';
import type { Principal } from '../auth/principal';
import { Who } from '../auth/who.decorator';
import { Answers } from '../http/route-notes';
import { JsonBody, QueryOf } from '../http/validate';
import { WORKSPACE_REFUSALS } from '../worker/workspace-refusals';
import { FilesService } from './files.service';

const REFUSALS = ['SESSION_NOT_FOUND', ...WORKSPACE_REFUSALS] as const;
const commitAnswerSchema = z.object({ commit: z.string() });
const contentQuerySchema = z.object({ path: z.string().min(1).max(4_096) });

@Controller('v1/sessions/:sessionId')
export class FilesController {
  constructor(private readonly files: FilesService) {}

  @Get('files')
  @Answers(200, pageSchema(fileEntrySchema), 'One directory of the session’s workspace', { problems: REFUSALS })
  list(@Who() who: Principal, @Param('sessionId') sessionId: string, @QueryOf(fileQuerySchema) query: z.infer<typeof fileQuerySchema>): Promise<Page<FileEntry>> {
    return this.files.list(who, sessionId, query.path);
  }

  @Get('files/content')
  @Answers(200, fileContentSchema, 'One file of the session’s workspace', { problems: REFUSALS })
  read(@Who() who: Principal, @Param('sessionId') sessionId: string, @QueryOf(contentQuerySchema) query: z.infer<typeof contentQuerySchema>): Promise<FileContent> {
    return this.files.read(who, sessionId, query.path);
  }

  @Get('diff')
  @Answers(200, diffSchema, 'What the session changed, against its base', { problems: REFUSALS })
  diff(@Who() who: Principal, @Param('sessionId') sessionId: string, @QueryOf(diffQuerySchema) query: z.infer<typeof diffQuerySchema>): Promise<WorkspaceDiff> {
    return this.files.diff(who, sessionId, query.base);
  }

  @Post('commit')
  @Answers(200, commitAnswerSchema, 'Commits what the session changed, in my name', { problems: [...REFUSALS, 'FORBIDDEN', 'CONFLICT'] })
  commit(@Who() who: Principal, @Param('sessionId') sessionId: string, @JsonBody(commitRequestSchema) body: z.infer<typeof commitRequestSchema>): Promise<{ commit: string }> {
    return this.files.commit(who, sessionId, body.message);
  }
}
