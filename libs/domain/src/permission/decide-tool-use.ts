import type { PermissionMode, SessionMode } from '@chirality/contracts';
import { isHostListed } from '../egress';
import { judgeCommand } from './judge-command';
import { globWithout, patternsBelow } from './kept-back';
import { isSensitivePath, normalizePath } from './path-pattern';
import { proposedPush, type ProposedPush } from './proposed-push';
import { normalizeRule, parseRule, ruleText, type PermissionRule } from './rule';
import { joinPatterns, suggestPatterns } from './suggest-pattern';
import { asksPeople, isFileEdit, isNetworkTool, isQuietTool } from './tool-classes';
import { pathOf, placeOf, segmentsOf, textField } from './tool-place';
import { coversTool, permits, restricts, touches, type Call } from './tool-rule';

/** Hosts of the project's list, and whether the model's service may search the web for it. */
export type ToolNetwork = { hosts: readonly string[]; webSearch: boolean };

export const NO_NETWORK: ToolNetwork = { hosts: [], webSearch: false };

export type ToolUse = Call & {
  mode: SessionMode;
  permissionMode: PermissionMode;
  /** Also asks before edits and before commands that only read. */
  strict: boolean;
  autoApproveTools: readonly string[];
  /** The project approves what would be asked, but for questions and plans, in strict mode and while planning. */
  autoApprove?: boolean;
  rules: readonly PermissionRule[];
  disallowedTools?: readonly string[];
  /** What the project lets tools reach; without it, nothing. */
  network?: ToolNetwork;
  /** The project has a remote: a push is a proposal, which a person who allows it carries out. */
  mayProposePush?: boolean;
};

export type ToolDecision = {
  decision: 'allow' | 'ask' | 'deny';
  /** One clause for people, without a full stop. */
  reason: string;
  /** What decided, or for "ask" the rules that a person may allow instead, in one text. */
  pattern: string | null;
  /** For "ask": those rules, each as it would be stored. */
  patterns?: string[];
  /** The rules that decided; a chain may have taken several. */
  rules?: readonly PermissionRule[];
  /** To be run with this input instead, and the model told why. */
  narrowed?: { input: Record<string, unknown>; note: string };
  /** For "ask": it is this push that is put to people. No rule allows one in advance. */
  push?: ProposedPush;
};

/**
 * What happens to one use of a tool. Deny beats ask beats allow; what no rule speaks of is decided by the kind of tool.
 * Where no one can be asked (a pipeline, or the mode `dontAsk`), what would ask is denied.
 */
export function decideToolUse(use: ToolUse): ToolDecision {
  const decision = decidePush(use) ?? withSuggestion(use, settle(use, weigh(use)));
  return decision.decision === 'deny' ? decision : narrow(use, decision);
}

/** Null where it is none. What denies it holds; what would allow it does not: each push is a person's. */
function decidePush(use: ToolUse): ToolDecision | null {
  const wish =
    use.tool === 'Bash' && use.mayProposePush === true ? proposedPush(textField(use.input, 'command') ?? '') : null;
  if (wish === null) return null;
  const refusal = restriction(use);
  if (refusal?.decision === 'deny') return refusal;
  if (wish.kind === 'refused') return deny(wish.reason, null);
  if (use.permissionMode === 'plan') return deny('nothing is pushed while planning', null);
  const asked = ask('only people push, each time and with their own git account');
  if (use.mode === 'pipeline') return deny(`${asked.reason}, and a pipeline never waits for a person`, null);
  if (use.permissionMode === 'dontAsk') return deny(`${asked.reason}, and this session does not ask`, null);
  return { ...asked, push: wish.push };
}

/** Only what the rules would then allow is offered. */
function withSuggestion(use: ToolUse, decision: ToolDecision): ToolDecision {
  if (decision.decision !== 'ask') return decision;
  const patterns = suggestPatterns(
    use,
    (more) => weigh({ ...use, rules: [...use.rules, ...more] }).decision === 'allow',
  );
  return patterns.length === 0 ? decision : { ...decision, pattern: joinPatterns(patterns), patterns };
}

function settle(use: ToolUse, decision: ToolDecision): ToolDecision {
  if (decision.decision !== 'ask') return decision;
  if (approvesByItself(use)) return allow('this project is set to auto-approve', null);
  if (use.mode === 'pipeline')
    return deny(`${decision.reason}, and a pipeline never waits for a person`, decision.pattern);
  if (use.permissionMode === 'dontAsk')
    return deny(`${decision.reason}, and this session does not ask`, decision.pattern);
  return decision;
}

/** A rule that asks was written to be asked. */
function approvesByItself(use: ToolUse): boolean {
  return (
    use.autoApprove === true &&
    !use.strict &&
    use.permissionMode !== 'plan' &&
    !asksPeople(use.tool) &&
    restriction(use) === null
  );
}

function weigh(use: ToolUse): ToolDecision {
  const { tool, input, permissionMode, strict, workspace } = use;
  const refusal = restriction(use);
  if (refusal) return refusal;
  const unreachable = isNetworkTool(tool) ? whyUnreachable(use) : null;
  if (unreachable) return deny(unreachable, null);
  if (asksPeople(tool)) return ask('this is a question to you');
  if (permissionMode === 'plan' && isFileEdit(tool)) {
    return isPlanFile(pathOf(input), workspace)
      ? allow('it only writes the plan', null)
      : deny('nothing is changed while planning', null);
  }
  const allowing = [
    ...use.rules.filter((rule) => (rule.effect ?? 'allow') === 'allow'),
    ...use.autoApproveTools.flatMap((text) => parseRule(text) ?? []),
  ];
  if (tool === 'Bash') return weighCommand(use, allowing);
  const isSensitive =
    isFileEdit(tool) && [placeOf(tool, input, use) ?? '', ...(use.realPaths ?? [])].some(isSensitivePath);
  const allowed = allowing.find((rule) => permits(rule, use) && (!isSensitive || speaksOfSensitive(rule)));
  if (allowed) return allow('a rule allows it', ruleText(normalizeRule(allowed)), [allowed]);
  if (isQuietTool(tool)) return allow(`${tool} changes nothing`, null);
  if (!isFileEdit(tool)) return ask(`no rule allows ${tool}`);
  if (isSensitive) return ask('this file can make other programs run something');
  if (isOutside(use)) return ask('this file is outside the workspace');
  return strict ? ask('strict mode asks before every change') : allow('changes inside the workspace are allowed', null);
}

/** A directory's rule does not reach files in it that make other programs run something: that has to be written out. */
function speaksOfSensitive(rule: PermissionRule): boolean {
  const { pattern } = normalizeRule(rule);
  return pattern === null || isSensitivePath(pattern);
}

/** What is put aside for a while may be. */
function isOutside(use: ToolUse): boolean {
  const { workspace } = use;
  if (isPlanFile(pathOf(use.input), workspace)) return false;
  const places = [placeOf(use.tool, use.input, use), ...(use.realPaths ?? [])].flatMap((path) =>
    path === null ? [] : [`/${(segmentsOf(path, workspace) ?? []).join('/')}/`],
  );
  return (
    workspace !== undefined && places.some((place) => !place.startsWith(`${workspace}/`) && !place.startsWith('/tmp/'))
  );
}

function weighCommand(use: ToolUse, allowing: readonly PermissionRule[]): ToolDecision {
  const rules =
    use.permissionMode === 'plan' ? [] : allowing.filter((rule) => coversTool(rule.tool, 'Bash')).map(normalizeRule);
  const everything = rules.find((rule) => rule.pattern === null);
  if (everything) return allow('a rule allows every command', 'Bash', [everything]);
  const verdict = judgeCommand(
    textField(use.input, 'command') ?? '',
    rules.flatMap((rule) => rule.pattern ?? []),
    !use.strict,
  );
  if (!verdict.allowed) return ask(verdict.why);
  if (verdict.by === 'quiet') return allow('the command only reads', null);
  return allow(
    'a rule allows the command',
    null,
    rules.filter(({ pattern }) => pattern !== null && verdict.patterns.includes(pattern)),
  );
}

function restriction(use: ToolUse): ToolDecision | null {
  const off = switchedOff(use).find((rule) => restricts(rule, use));
  if (off) return deny(`${ruleText(off)} is switched off here`, ruleText(off));
  for (const effect of ['deny', 'ask'] as const) {
    const rule = use.rules.find((one) => one.effect === effect && restricts(one, use));
    if (!rule) continue;
    const text = ruleText(normalizeRule(rule));
    return effect === 'deny'
      ? deny(`the rule ${text} refuses it`, text, [rule])
      : { decision: 'ask', reason: `the rule ${text} asks first`, pattern: null };
  }
  return use.tool === 'Bash' ? perhapsTouching(use) : null;
}

function switchedOff({ disallowedTools = [] }: ToolUse): PermissionRule[] {
  return disallowedTools.flatMap((text) => parseRule(text) ?? []);
}

function restricting({ rules }: ToolUse): PermissionRule[] {
  return rules.filter(({ effect }) => effect === 'deny' || effect === 'ask');
}

/** What must not be read, or not without being asked for. */
function keptBack(use: ToolUse): { text: string; pattern: string }[] {
  const rules = [...switchedOff(use), ...restricting(use)];
  return rules
    .filter((rule) => coversTool(rule.tool, 'Grep'))
    .map(normalizeRule)
    .flatMap((rule) => (rule.pattern === null ? [] : [{ text: ruleText(rule), pattern: rule.pattern }]));
}

/** What a command may do to files that a rule speaks of, though its text does not tell for sure. */
function perhapsTouching(use: ToolUse): ToolDecision | null {
  const rule = [...switchedOff(use), ...restricting(use)].find((one) => touches(one, use) !== null);
  return rule
    ? {
        decision: 'ask',
        reason: `it may reach files that the rule ${ruleText(normalizeRule(rule))} is about`,
        pattern: null,
      }
    : null;
}

/** A search leaves out what a rule keeps from being read. */
function narrow(use: ToolUse, decision: ToolDecision): ToolDecision {
  if (use.tool !== 'Grep') return decision;
  const places = use.realPaths?.length ? use.realPaths : [placeOf(use.tool, use.input, use) ?? ''];
  const below = keptBack(use).flatMap(({ text, pattern }) =>
    places.flatMap((place) => {
      const rests = patternsBelow(pattern, place, use.workspace);
      // Who asked for the place itself was let in, or is refused already.
      return rests.some((rest) => rest.length === 0) ? [] : rests.map((rest) => ({ text, rest }));
    }),
  );
  const [first] = below;
  if (!first) return decision;
  const glob = globWithout(
    textField(use.input, 'glob'),
    below.map(({ rest }) => rest),
  );
  if (glob === null)
    return deny(`the rule ${first.text} keeps back something in this directory: search in another`, first.text);
  return {
    ...decision,
    narrowed: {
      input: { ...(use.input as Record<string, unknown>), glob },
      note: 'This search leaves out files that a rule keeps from being read.',
    },
  };
}

/** The proxy would refuse it too; here the model learns why. */
function whyUnreachable({ tool, input, network }: ToolUse): string | null {
  if (tool === 'WebSearch') return network?.webSearch ? null : 'this project does not allow searching the web';
  if (!network || network.hosts.length === 0) return 'this project allows no network access';
  const address = textField(input, 'url') ?? '';
  const url = URL.canParse(address) ? new URL(address) : null;
  const ports: Record<string, number> = { 'http:': 80, 'https:': 443 };
  const port = url && Number(url.port || ports[url.protocol]);
  return url && port && isHostListed(network.hosts, url.hostname, port)
    ? null
    : `${url?.hostname || 'this address'} is not on this project's list of hosts`;
}

/** While planning, the program keeps its plan in a file in its configuration directory. */
function isPlanFile(path: string | null, workspace = '/workspace'): boolean {
  return (
    path !== null &&
    normalizePath(path) === path &&
    !path.startsWith(`${workspace}/`) &&
    /^\/(?:[^/]+\/)*(?:\.?claude|config)\/plans\/[^/]+\.md$/.test(path)
  );
}

function ask(reason: string): ToolDecision {
  return { decision: 'ask', reason, pattern: null };
}

function allow(reason: string, pattern: string | null, rules: readonly PermissionRule[] = []): ToolDecision {
  return { decision: 'allow', reason, pattern, ...(rules.length > 0 ? { rules } : {}) };
}

function deny(reason: string, pattern: string | null, rules: readonly PermissionRule[] = []): ToolDecision {
  return { decision: 'deny', reason, pattern, ...(rules.length > 0 ? { rules } : {}) };
}
