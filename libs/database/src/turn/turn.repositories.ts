import { overDatabase, overEventLog } from '../connection/repository-providers';
import { ForbiddenTurnRepository } from './forbidden-turn.repository';
import { TurnAcceptanceRepository } from './turn-acceptance.repository';
import { TurnClaimRepository } from './turn-claim.repository';
import { TurnInterruptRepository } from './turn-interrupt.repository';
import { TurnSettlementRepository } from './turn-settlement.repository';
import { TurnRepository } from './turn.repository';

export const turnRepositories = [
  ...overDatabase(TurnClaimRepository, TurnRepository),
  ...overEventLog(ForbiddenTurnRepository, TurnAcceptanceRepository, TurnInterruptRepository, TurnSettlementRepository),
];
