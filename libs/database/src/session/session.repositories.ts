import { overDatabase, overEventLog } from '../connection/repository-providers';
import { SessionPushRepository } from './session-push.repository';
import { SessionStateRepository } from './session-state.repository';
import { SessionToRunRepository } from './session-to-run.repository';
import { SessionRepository } from './session.repository';
import { StatePointerRepository } from './state-pointer.repository';
import { UnpushedWorkRepository } from './unpushed-work.repository';

export const sessionRepositories = [
  ...overDatabase(
    SessionPushRepository,
    SessionStateRepository,
    SessionToRunRepository,
    StatePointerRepository,
    UnpushedWorkRepository,
  ),
  ...overEventLog(SessionRepository),
];
