import { Controller, Get, Param, Post } from '@nestjs/common';
import {
  commitListSchema,
  commitRequestSchema,
  diffQuerySchema,
  diffSchema,
  fileContentSchema,
  fileListSchema,
  filePatchQuerySchema,
  filePatchSchema,
  fileQuerySchema,
  type CommitList,
  type CommitRequest,
  type DiffQuery,
  type FileContent,
  type FileList,
  type WorkspaceDiff,
  type WorkspaceFilePatch,
} from '@chirality/contracts';
import { z } from 'zod';
import type { Principal } from '../access/principal';
import { CurrentUser } from '../access/current-user.decorator';
import { Answers } from '../core/http/route-notes';
import { JsonBody, QueryOf } from '../core/http/validate';
import { WORKSPACE_REFUSALS } from '../worker/workspace-refusals';
import { contentQuerySchema } from './content-query';
import { commitsQuerySchema, FilesService } from './files.service';

const REFUSALS = ['SESSION_NOT_FOUND', ...WORKSPACE_REFUSALS] as const;
const commitAnswerSchema = z.object({ commit: z.string() });

@Controller('v1/sessions/:sessionId')
export class FilesController {
  constructor(private readonly files: FilesService) {}

  @Get('files')
  @Answers(
    200,
    fileListSchema,
    'List a directory of the session’s workspace, directories first, in pages; `find` searches names there and below',
    { problems: REFUSALS },
  )
  list(
    @CurrentUser() who: Principal,
    @Param('sessionId') sessionId: string,
    @QueryOf(fileQuerySchema) query: z.infer<typeof fileQuerySchema>,
  ): Promise<FileList> {
    return this.files.list(who, sessionId, query);
  }

  @Get('files/content')
  @Answers(200, fileContentSchema, 'Get a file of the session’s workspace', { problems: REFUSALS })
  read(
    @CurrentUser() who: Principal,
    @Param('sessionId') sessionId: string,
    @QueryOf(contentQuerySchema) query: z.infer<typeof contentQuerySchema>,
  ): Promise<FileContent> {
    return this.files.read(who, sessionId, query.path);
  }

  @Get('diff')
  @Answers(200, diffSchema, 'Get the diff of a session, of what is not committed, or of a commit; in pages of files', {
    problems: REFUSALS,
  })
  diff(
    @CurrentUser() who: Principal,
    @Param('sessionId') sessionId: string,
    @QueryOf(diffQuerySchema) query: DiffQuery,
  ): Promise<WorkspaceDiff> {
    return this.files.diff(who, sessionId, query);
  }

  @Get('diff/file')
  @Answers(200, filePatchSchema, 'Get the patch of one file, in parts', { problems: REFUSALS })
  filePatch(
    @CurrentUser() who: Principal,
    @Param('sessionId') sessionId: string,
    @QueryOf(filePatchQuerySchema) query: z.infer<typeof filePatchQuerySchema>,
  ): Promise<WorkspaceFilePatch> {
    return this.files.filePatch(who, sessionId, query);
  }

  @Get('commits')
  @Answers(200, commitListSchema, 'List the session’s commits, newest first', {
    problems: REFUSALS,
  })
  commits(
    @CurrentUser() who: Principal,
    @Param('sessionId') sessionId: string,
    @QueryOf(commitsQuerySchema) query: z.infer<typeof commitsQuerySchema>,
  ): Promise<CommitList> {
    return this.files.commits(who, sessionId, query);
  }

  @Post('commit')
  @Answers(200, commitAnswerSchema, 'Commit the session’s changes, or chosen files of them, in my name', {
    problems: [...REFUSALS, 'FORBIDDEN', 'CONFLICT'],
  })
  commit(
    @CurrentUser() who: Principal,
    @Param('sessionId') sessionId: string,
    @JsonBody(commitRequestSchema) body: CommitRequest,
  ): Promise<{ commit: string }> {
    return this.files.commit(who, sessionId, body);
  }
}
