import type { AskedFor, InitReport } from '../../harness-output';

/** Aliases that leave the choice to the program. */
export const OPEN_MODELS: ReadonlySet<string> = new Set(['default', 'inherit', 'best', 'opusplan']);
/** One tool, two names: the program lists it under the first and offers it to the model under the second. */
const SAME_TOOL: ReadonlyMap<string, string> = new Map([['Agent', 'Task']]);

/** One sentence for each thing that the program says it is and was not asked to be. */
export function compareInit(asked: AskedFor, init: InitReport): string[] {
  const differences: string[] = [];
  const compare = (
    what: string,
    wanted: string | null | undefined,
    got: string | null,
    same: (wanted: string, got: string) => boolean,
  ) => {
    if (wanted && got && !same(wanted, got)) differences.push(`${what}: asked for ${wanted}, runs with ${got}.`);
  };
  compare('Working directory', asked.cwd, init.cwd, equal);
  compare('Permission mode', asked.permissionMode, init.permissionMode, equal);
  compare('Model', asked.model, init.model, isSameModel);
  compare('Claude Code version', asked.version, init.version, equal);
  if (Array.isArray(asked.tools)) {
    const wanted = new Set(asked.tools.map(commonName));
    const got = new Set(init.tools.map(commonName));
    const missing = [...wanted].filter((tool) => !got.has(tool));
    const extra = [...got].filter((tool) => !wanted.has(tool) && !tool.startsWith('mcp__'));
    if (missing.length > 0) differences.push(`Tools: asked for but not there: ${missing.join(', ')}.`);
    if (extra.length > 0) differences.push(`Tools: there but not asked for: ${extra.join(', ')}.`);
  }
  return differences;
}

function equal(wanted: string, got: string): boolean {
  return wanted === got;
}

/** `opus` is any opus, and a name without its date is the same model. */
export function isSameModel(wanted: string, got: string): boolean {
  const name = plain(wanted);
  return OPEN_MODELS.has(name) || plain(got).split('-').includes(name) || plain(got).startsWith(name);
}

/** Without the size of its window. */
export function plain(model: string): string {
  return model.toLowerCase().replace(/\[[^\]]*\]$/, '');
}

function commonName(tool: string): string {
  return SAME_TOOL.get(tool) ?? tool;
}
