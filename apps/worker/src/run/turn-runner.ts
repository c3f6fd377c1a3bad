import type { ClaimedTurn } from '@chirality/database';
import type { TurnPreparation } from '../prepare/turn-preparation';
import type { ProcessStarter } from '../process/process-starter';
import type { TurnRecords } from '../record/turn-records';
import { BootExecution } from '../turn/boot-execution';
import type { ModelCheck } from '../turn/model-check';
import type { RunningTurn } from '../turn/running-turn';
import type { TurnFiles } from '../turn/turn-files';
import type { TurnSettler } from '../turn/turn-settler';
import { TurnAttempts } from './turn-attempts';
import type { TurnConclusion } from './turn-conclusion';
import { TurnExecution } from './turn-execution';
import type { TurnServings } from './turn-servings';

/** Begins what was claimed: a turn, or a boot. */
export class TurnRunner {
  constructor(
    private readonly records: TurnRecords,
    private readonly preparation: TurnPreparation,
    private readonly starter: ProcessStarter,
    private readonly servings: TurnServings,
    private readonly settler: TurnSettler,
    private readonly files: TurnFiles,
    private readonly conclusion: TurnConclusion,
    private readonly modelCheck: ModelCheck,
  ) {}

  begin(claimed: ClaimedTurn, onRestChanged: () => void): RunningTurn {
    const { records, preparation, starter, servings, settler, files, conclusion, modelCheck } = this;
    const turn = records.open(claimed);
    if (claimed.kind === 'boot') return new BootExecution(turn, preparation, modelCheck, files, settler);
    const attempts = new TurnAttempts(turn, preparation, starter, servings, files);
    return new TurnExecution(turn, attempts, conclusion, records, onRestChanged);
  }
}
