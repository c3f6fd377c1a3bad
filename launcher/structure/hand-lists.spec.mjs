import { handListed, listsByHand } from './hand-lists.mjs';

const MODULE = `
import { Module } from '@nestjs/common';
import { SessionModule } from '../session/session.module';
import { SessionsService } from '../session/sessions.service';
import { TurnsController } from './turns.controller';
import { TurnsService } from './turns.service';

@Module({
  imports: [SessionModule],
  controllers: [TurnsController],
  providers: [TurnsService, SessionsService, { provide: 'x', inject: [SessionsService], useFactory: () => 1 }],
  exports: [TurnsService],
})
export class TurnModule {}`;

it('a part of another folder in a module’s list is found, and what a factory asks for is none', () => {
  expect(handListed('apps/api/src/turn/turn.module.ts', MODULE)).toEqual([
    'apps/api/src/turn/turn.module.ts:11: SessionsService',
  ]);
});

it('a repository of another folder in a room’s list is found', () => {
  const text = `import { TeamRepository } from '../team/team.repository';
import { UserRepository } from './user.repository';
export const userRepositories = overDatabase(UserRepository, TeamRepository);`;
  expect(handListed('libs/database/src/user/user.repositories.ts', text)).toEqual([
    'libs/database/src/user/user.repositories.ts:3: TeamRepository',
  ]);
});

it('no list is kept by hand', () => {
  expect(listsByHand()).toEqual([]);
});
