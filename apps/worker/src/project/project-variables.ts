import { createHash } from 'node:crypto';
import type { ProjectVariableRepository } from '@chirality/database';
import { variableMasks, variableSealOf, type MaskPattern } from '@chirality/domain';
import { ProblemError, type SecretBox } from '@chirality/platform';
import { LRUCache } from 'lru-cache';

/** Values lie open in memory no longer than they are likely to be wanted. */
const MAX_REMEMBERED = 32;

/** A project's variables as one turn gets them. In memory only. */
export type OpenedVariables = {
  /** For tools of turns. */
  turns: Record<string, string>;
  /** For the set-up script: those of turns, and those for it alone. */
  setup: Record<string, string>;
  /** Hides every value, also of those that are not given to any process. */
  masks: readonly MaskPattern[];
  /** Changes with every name, value and use. */
  digest: string;
};

/** Opens what people gave a project for its tools. */
export class ProjectVariables {
  /** Masks are compiled once per list, so the list must stay the same while the values do. */
  private readonly latest = new LRUCache<string, OpenedVariables>({ max: MAX_REMEMBERED });

  constructor(
    private readonly variables: Pick<ProjectVariableRepository, 'listSealed'>,
    private readonly secrets: Pick<SecretBox, 'open'>,
  ) {}

  async open(projectId: string): Promise<OpenedVariables> {
    const sealed = await this.variables.listSealed(projectId);
    const opened = sealed.map(({ name, cipher, givenTo }) => ({
      name,
      givenTo,
      value: this.openOne(projectId, name, cipher),
    }));
    const digest = createHash('sha256').update(JSON.stringify(opened)).digest('hex');
    const known = this.latest.get(projectId);
    if (known?.digest === digest) return known;
    const given = (...uses: string[]) =>
      Object.fromEntries(
        opened.filter(({ givenTo }) => uses.includes(givenTo)).map(({ name, value }) => [name, value]),
      );
    const variables: OpenedVariables = {
      turns: given('turns'),
      setup: given('turns', 'setup'),
      masks: variableMasks(opened.map(({ value }) => value)),
      digest,
    };
    this.latest.set(projectId, variables);
    return variables;
  }

  private openOne(projectId: string, name: string, cipher: Buffer): string {
    try {
      return this.secrets.open(cipher, variableSealOf(projectId, name)).toString('utf8');
    } catch {
      throw new ProblemError(
        'HARNESS_FAILURE',
        `The project’s variable ${name} cannot be opened with this installation’s key. An admin gives it its value again, or removes it.`,
      );
    }
  }
}
