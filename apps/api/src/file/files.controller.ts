import { Controller, Get, Param, Post, Put, Req, Res } from '@nestjs/common';
import {
  commitListSchema,
  commitRequestSchema,
  diffDownloadQuerySchema,
  diffSchema,
  downloadQuerySchema,
  fileContentSchema,
  fileListSchema,
  filePatchQuerySchema,
  filePatchSchema,
  fileQuerySchema,
  writtenFileSchema,
  type CommitList,
  type CommitRequest,
  type DownloadQuery,
  type FileContent,
  type FileList,
  type WorkspaceFilePatch,
  type WrittenFile,
} from '@chirality/contracts';
import type { Request, Response } from 'express';
import { z } from 'zod';
import type { Principal } from '../access/principal';
import { CurrentUser } from '../access/current-user.decorator';
import { Answers } from '../core/http/route-notes';
import { JsonBody, QueryOf } from '../core/http/validate';
import { WORKSPACE_REFUSALS } from '../worker/workspace-refusals';
import { contentQuerySchema } from './content-query';
import { DownloadsService } from './downloads.service';
import { FileUploadsService } from './file-uploads.service';
import { commitsQuerySchema, FilesService } from './files.service';

const REFUSALS = ['SESSION_NOT_FOUND', ...WORKSPACE_REFUSALS] as const;
const commitAnswerSchema = z.object({ commit: z.string() });

@Controller('v1/sessions/:sessionId')
export class FilesController {
  constructor(
    private readonly files: FilesService,
    private readonly downloads: DownloadsService,
    private readonly uploads: FileUploadsService,
  ) {}

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
  async read(
    @CurrentUser() who: Principal,
    @Param('sessionId') sessionId: string,
    @QueryOf(contentQuerySchema) query: z.infer<typeof contentQuerySchema>,
    @Res({ passthrough: true }) response: Response,
  ): Promise<FileContent> {
    const file = await this.files.read(who, sessionId, query.path);
    if (file.etag !== undefined) response.setHeader('etag', `"${file.etag}"`);
    return file;
  }

  @Put('files/content')
  @Answers(
    200,
    writtenFileSchema,
    'Put a file, as the body, into the session’s workspace. `If-Match` names the file that it replaces by its etag, or any by `*`; without it none is replaced',
    {
      headers: {
        'If-Match': 'The etag of the file that is replaced, or *.',
        'If-None-Match': '*: no file is replaced.',
      },
      problems: [...REFUSALS, 'FORBIDDEN', 'CONFLICT', 'MESSAGE_TOO_LARGE'],
    },
  )
  write(
    @CurrentUser() who: Principal,
    @Param('sessionId') sessionId: string,
    @QueryOf(contentQuerySchema) query: z.infer<typeof contentQuerySchema>,
    @Req() request: Request,
  ): Promise<WrittenFile> {
    return this.uploads.take(who, sessionId, query.path, request);
  }

  @Get('files/download')
  @Answers(
    200,
    null,
    'Download a file of the session’s workspace, or a directory (an empty path is the whole workspace) as an archive',
    { media: 'application/octet-stream', problems: REFUSALS },
  )
  download(
    @CurrentUser() who: Principal,
    @Param('sessionId') sessionId: string,
    @QueryOf(downloadQuerySchema) query: DownloadQuery,
    @Res() response: Response,
  ): Promise<void> {
    return this.downloads.sendFiles(who, sessionId, query, response);
  }

  @Get('diff')
  @Answers(
    200,
    diffSchema,
    'Get the diff of a session, of what is not committed, or of a commit; in pages of files, as a patch, or as an archive of the changed files',
    { media: 'text/x-patch', problems: REFUSALS },
  )
  async diff(
    @CurrentUser() who: Principal,
    @Param('sessionId') sessionId: string,
    @QueryOf(diffDownloadQuerySchema) { format, ...query }: z.infer<typeof diffDownloadQuerySchema>,
    @Res() response: Response,
  ): Promise<void> {
    if (format === 'json') response.json(await this.files.diff(who, sessionId, query));
    else await this.downloads.sendChanges(who, sessionId, format, query, response);
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
