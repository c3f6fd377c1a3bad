import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { CallToolResult, ToolAnnotations } from '@modelcontextprotocol/sdk/types.js';
import { createSessionSchema, optionsSchema, permissionDecisionSchema, type Command } from '@chirality/contracts';
import { z } from 'zod';
import type { McpActs } from './mcp-acts';
import { shownSessionSchema, type ToolCall } from './mcp-shapes';
import { turnResultSchema } from './mcp-turns.service';

type Tool<I extends z.ZodObject = z.ZodObject> = {
  title: string;
  description: string;
  /** What a token needs for it. */
  command: Command;
  input: I;
  output?: z.ZodObject;
  annotations: ToolAnnotations;
  run: (acts: McpActs, input: z.output<I>, call: ToolCall) => Promise<CallToolResult>;
};

function tool<I extends z.ZodObject>(definition: Tool<I>): Tool {
  return definition;
}

const READS: ToolAnnotations = { readOnlyHint: true, openWorldHint: false };
const CHANGES: ToolAnnotations = {
  readOnlyHint: false,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
};
const sessionId = z.string().describe('The id of a session, as create_session or list_sessions answered it');
const sessionAnswer = z.object({ session: shownSessionSchema });
const { shape: options } = optionsSchema;

/** The tools by name. */
const TOOLS: Readonly<Record<string, Tool>> = {
  create_session: tool({
    title: 'Create a session',
    description:
      'Creates a session of Claude Code in a project of this Chirality server: a conversation with a copy of the project’s files. Nothing runs yet. The people of the project see that an agent began it.',
    command: 'session:create',
    input: z.object({
      projectId: z.string().optional().describe('May be left out where there is one project; list_sessions names them'),
      title: createSessionSchema.shape.title,
      persona: createSessionSchema.shape.persona,
      mode: createSessionSchema.shape.mode,
      visibility: createSessionSchema.shape.visibility,
      model: options.model,
    }),
    output: sessionAnswer,
    annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
    run: (acts, input) => acts.createSession(input),
  }),
  list_sessions: tool({
    title: 'List sessions',
    description: 'Lists the sessions that you may see, latest change first, and the projects that sessions can be in.',
    command: 'events:read',
    input: z.object({
      projectId: z.string().optional(),
      search: z.string().max(200).optional(),
      limit: z.number().int().min(1).max(100).default(20),
      cursor: z.string().max(200).optional(),
    }),
    output: z.object({
      sessions: z.array(shownSessionSchema),
      nextCursor: z.string().nullable(),
      projects: z.array(z.object({ id: z.string(), name: z.string() })),
    }),
    annotations: READS,
    run: (acts, input) => acts.listSessions(input),
  }),
  attach_session: tool({
    title: 'Watch a session',
    description:
      'Watches a session: its events are announced by notifications/resources/updated from now on. Answers the resource to read them from.',
    command: 'session:attach',
    input: z.object({ sessionId }),
    output: z.object({ session: shownSessionSchema, resource: z.string(), lastEventId: z.number().int() }),
    annotations: { ...CHANGES, readOnlyHint: true },
    run: (acts, input) => acts.attach(input),
  }),
  detach_session: tool({
    title: 'Stop watching a session',
    description: 'Ends the watching of a session that attach_session began. The session itself continues.',
    command: 'session:detach',
    input: z.object({ sessionId }),
    annotations: { ...CHANGES, readOnlyHint: true },
    run: (acts, input) => acts.detach(input),
  }),
  run_agent_with_shell_access: tool({
    title: 'Run an agent with shell access',
    description:
      'Sends a message to Claude Code in a session. This hands over the message to another agent, which can run shell commands and change files in a sandbox with the session’s files, can reach the network hosts that the project allows, and spends money of the team or the person whose token this is. What its rules do not allow waits for a person in the dashboard, and is denied after 60 seconds; you cannot allow it. Waits for the end of the turn unless `wait` is false, and answers its text, cost and the tools that it used. One turn at a time runs in a session.',
    command: 'turn:send',
    input: z.object({
      sessionId,
      message: z.string(),
      wait: z.boolean().default(true).describe('False answers at once; wait_for_turn waits later'),
      model: options.model,
      maxTurns: options.maxTurns,
      maxBudgetUsd: options.maxBudgetUsd,
      timeoutMs: options.timeoutMs,
    }),
    output: turnResultSchema,
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
    run: (acts, input, call) => acts.run(input, call),
  }),
  wait_for_turn: tool({
    title: 'Wait for a turn',
    description:
      'Waits until a turn has ended, and answers what run_agent_with_shell_access would: without turnId the turn that runs, or the last one. After timeoutSeconds it answers with the turn as it is then.',
    command: 'events:read',
    input: z.object({
      sessionId,
      turnId: z.string().optional(),
      timeoutSeconds: z.number().int().min(1).max(86_400).optional(),
    }),
    output: turnResultSchema,
    annotations: READS,
    run: (acts, input, call) => acts.wait(input, call),
  }),
  cancel_turn: tool({
    title: 'Interrupt a turn',
    description:
      'Interrupts the turn that runs in a session, also one that another user began. Does nothing where none runs.',
    command: 'turn:interrupt',
    input: z.object({ sessionId }),
    annotations: { ...CHANGES, destructiveHint: true },
    run: (acts, input) => acts.cancel(input),
  }),
  answer_permission: tool({
    title: 'Answer a permission request',
    description:
      'Answers a permission request of a session. Over MCP you are an agent, and agents may not: it is refused with AGENT_MAY_NOT_APPROVE, and the attempt is shown to the session’s people. Ask a person to answer in the dashboard.',
    command: 'permission:answer',
    input: z.object({
      sessionId,
      permissionId: z.string(),
      decision: permissionDecisionSchema.shape.decision,
      reason: permissionDecisionSchema.shape.reason,
    }),
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
    run: (acts, input) => acts.answerPermission(input),
  }),
  set_model: tool({
    title: 'Choose a session’s model',
    description: 'Chooses the model of a session’s turns from the next one on.',
    command: 'session:set_model',
    input: z.object({ sessionId, model: options.model.unwrap() }),
    output: sessionAnswer,
    annotations: CHANGES,
    run: (acts, input) => acts.setOptions(input.sessionId, { model: input.model }),
  }),
  enter_plan_mode: tool({
    title: 'Enter plan mode',
    description: 'From the next turn on the session only plans: it reads and proposes, and changes nothing.',
    command: 'plan:enter',
    input: z.object({ sessionId }),
    output: sessionAnswer,
    annotations: CHANGES,
    run: (acts, input) => acts.setOptions(input.sessionId, { permissionMode: 'plan' }),
  }),
  exit_plan_mode: tool({
    title: 'Leave plan mode',
    description: 'From the next turn on the session works again, and asks for what its rules do not allow.',
    command: 'plan:exit',
    input: z.object({ sessionId }),
    output: sessionAnswer,
    annotations: CHANGES,
    run: (acts, input) => acts.setOptions(input.sessionId, { permissionMode: 'default' }),
  }),
  end_session: tool({
    title: 'End a session',
    description: 'Interrupts what runs in a session and archives it. A person can restore it.',
    command: 'session:end',
    input: z.object({ sessionId }),
    annotations: { ...CHANGES, destructiveHint: true },
    run: (acts, input) => acts.end(input),
  }),
};

/** Those whose answer may take as long as a turn: their stream can be continued after it broke. */
export const WAITING_TOOLS: ReadonlySet<string> = new Set(['run_agent_with_shell_access', 'wait_for_turn']);

/** `onOver`: the call's stream ends without an answer. */
export function registerTools(server: McpServer, acts: McpActs, onOver: (error: unknown) => void): void {
  for (const [name, { title, description, command, input, output, annotations, run }] of Object.entries(TOOLS))
    server.registerTool(
      name,
      {
        title,
        description,
        inputSchema: input.shape,
        ...(output ? { outputSchema: output.shape } : {}),
        annotations,
      },
      async (args, { requestId, _meta, signal }) => {
        try {
          return await acts.guarded(command, args, () =>
            run(acts, args, { requestId, progressToken: _meta?.progressToken, signal }),
          );
        } catch (error) {
          onOver(error);
          throw error;
        }
      },
    );
}
