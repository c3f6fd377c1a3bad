import type { Effort, Options, OptionKey, OutputSchema, ResolvedOptions, SessionMode } from '@chirality/contracts';
import type { OpenedVariables } from '../project/project-variables';
import type { ToolNetwork, TurnPolicy } from '@chirality/domain';
import type { MessageBlock } from '../harness/harness';
import type { Account } from '../key/account';

/** Everything that shapes a turn's process, resolved once, before anything is started. */
export type PreparedTurn = {
  message: string;
  /** Pictures and documents that go with it. */
  blocks: readonly MessageBlock[];
  mode: SessionMode;
  gate: TurnPolicy;
  model: string;
  effort?: Effort;
  maxTurns: number;
  tools: string[] | 'default';
  disallowedTools: string[];
  /** What the project lets tools reach. */
  network: ToolNetwork;
  /** What the answer has to be; null where it may be anything. */
  outputSchema: OutputSchema | null;
  /** What the project gives to tools; null where it has none. */
  variables: OpenedVariables | null;
  /** The project's set-up script ran for this turn, and changed files perhaps. */
  setupRan: boolean;
  timeoutMs: number | null;
  /** Who pays, as things are when the turn begins: each request looks again. */
  account: Pick<Account, 'paidBy' | 'keyId'>;
  /** The conversation to continue; null starts afresh. */
  resume: string | null;
  promptHostPath: string;
  /** Keeps the prompt for those who may read it, once; it can wait until the program has been answered. */
  keepPrompt(): void;
  /**
   * Resolves when it is on the disk that this attempt may change the copy. No tool runs before; the message need not
   * wait.
   */
  mayChange: Promise<void>;
  promptHash: string;
  bootFingerprint: string;
  author: { name: string; email: string };
  /** The conversation neither continues an earlier one nor is continued. */
  fresh: boolean;
  /** The copy was rebuilt from stored state: a process that waits for this session knows another one. */
  restored: boolean;
  disk: { workspace: string; config: string; tmp: string; attachments: string; objects: string; lockFile: string };
};

/** The value of one resolved option; throws where the chain, which ends in built-in defaults, has none. */
export function optionValue<K extends OptionKey>(options: ResolvedOptions, key: K): NonNullable<Options[K]> {
  const option = options[key];
  if (option === undefined) throw new Error(`option ${key} was not resolved`);
  return option.value;
}
