import { Module } from '@nestjs/common';
import { AccessModule } from '../access/access.module';
import { SharedWorkspacesController } from './shared-workspaces.controller';
import { SharedWorkspacesService } from './shared-workspaces.service';

@Module({
  imports: [AccessModule],
  controllers: [SharedWorkspacesController],
  providers: [SharedWorkspacesService],
  exports: [SharedWorkspacesService],
})
export class SharedWorkspaceModule {}
