import { Module } from '@nestjs/common';
import { AccessModule } from '../access/access.module';
import { AuditModule } from '../audit/audit.module';
import { ProjectModule } from '../project/project.module';
import { SharedWorkspaceModule } from '../shared-workspace/shared-workspace.module';
import { WorkerModule } from '../worker/worker.module';
import { DownloadsService } from './downloads.service';
import { FileUploadsService } from './file-uploads.service';
import { FilesController } from './files.controller';
import { FilesService } from './files.service';
import { ProjectFilesController } from './project-files.controller';
import { ProjectFilesService } from './project-files.service';
import { RelaySweep } from './relay-sweep';

@Module({
  imports: [AccessModule, AuditModule, ProjectModule, SharedWorkspaceModule, WorkerModule],
  controllers: [FilesController, ProjectFilesController],
  providers: [FilesService, ProjectFilesService, DownloadsService, FileUploadsService, RelaySweep],
  exports: [FilesService],
})
export class FileModule {}
