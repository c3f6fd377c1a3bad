import { answerOf, ApiError, createApi, rowsOf, slashLine, type Options, type SlashCommand } from '@chirality/client';
import { latestSessions, sessionOf, sessionTable } from '../command/sessions';
import { EXIT } from '../program/exit-code';
import { oneLine, safe, safeText } from '../text/safe-text';
import { table } from '../text/table';
import type { Line } from '../transcript/line';
import type { LiveSession } from './live-session';
import type { End } from './show-session';

type Args = Readonly<Record<string, string>>;
type Place = {
  live: LiveSession;
  commands: readonly SlashCommand[];
  setOnce: (options: Options) => void;
  setOwn: (options: Options) => void;
  onEnd: (end: End) => void;
};
type Act = (place: Place, args: Args) => Promise<Line[]> | Line[];

const plain = (text: string): Line[] =>
  text
    .trimEnd()
    .split('\n')
    .map((row) => ({ text: safeText(`  ${row}`) }));
const pathOf = ({ session }: LiveSession) => ({ path: { sessionId: session.id } });

async function resume({ live, onEnd }: Place, { session }: Args): Promise<Line[]> {
  if (session === undefined) {
    const others = (await latestSessions(live.client, 11)).filter(({ id }) => id !== live.session.id);
    return plain(`${sessionTable(others)}Write /resume with an id or words of a title.`);
  }
  const found = await sessionOf(live.client, session);
  if (found.id === live.session.id) return plain('That is this session.');
  onEnd({ kind: 'resume', session: found });
  return [];
}

/** What each built-in command does here. A command that this client does not know is refused by `doCommand`. */
const ACTS: Record<string, Act> = {
  help: ({ commands }) => plain(table(commands.map((each) => [`/${slashLine(each)}`, each.description]))),
  clear: ({ setOnce }) => {
    setOnce({ context: 'fresh' });
    return plain('The next message begins a new conversation. Files stay as they are.');
  },
  compact: async ({ live }) => {
    await answerOf(live.client.api.POST('/v1/sessions/{sessionId}/compact', { params: pathOf(live) }));
    return [];
  },
  cost: ({ live }) => {
    const { costUsd, active } = live.snapshot();
    return plain(`${active === null ? '' : `This turn so far: $${active.costUsd ?? '0'}\n`}This session: $${costUsd}`);
  },
  model: async ({ live, setOwn }, { model }) => {
    const params = pathOf(live);
    if (model !== undefined) {
      // A token’s change leaves the other options as they are by then.
      const body = { options: { model } };
      try {
        live.session = await answerOf(live.client.api.PATCH('/v1/sessions/{sessionId}', { params, body }));
        return plain(`This session uses ${oneLine(model)} from its next turn on.`);
      } catch (error) {
        // The session is another person’s, who shares it.
        if (!(error instanceof ApiError) || error.code !== 'FORBIDDEN') throw error;
        setOwn({ model });
        return plain(`Your messages use ${oneLine(model)} until you leave.`);
      }
    }
    const options = await answerOf(live.client.api.GET('/v1/sessions/{sessionId}/options', { params }));
    return plain(
      `Now: ${oneLine(String(options.model?.value ?? 'default'))} (from ${options.model?.from ?? 'built-in'}). Write /model with another one.`,
    );
  },
  resume,
  'sessions:resume': resume,
  'sessions:list': async ({ live }) => plain(sessionTable(await latestSessions(live.client, 20))),
  permissions: async ({ live }) => {
    const params = pathOf(live);
    const options = await answerOf(live.client.api.GET('/v1/sessions/{sessionId}/options', { params }));
    const waiting = await rowsOf(
      live.client.api.GET('/v1/sessions/{sessionId}/permissions', {
        params: { ...params, query: { status: 'pending' } },
      }),
    );
    const allowed = options.autoApproveTools?.value ?? [];
    const mode = options.permissionMode;
    return plain(
      [
        `Mode: ${mode?.value ?? 'default'} (from ${mode?.from ?? 'built-in'})`,
        `Allowed without asking: ${allowed.length === 0 ? 'what only reads' : oneLine(allowed.join(', '))}`,
        `Waiting for an answer: ${waiting.length === 0 ? 'nothing' : waiting.map(({ tool }) => oneLine(tool)).join(', ')}`,
      ].join('\n'),
    );
  },
  health: async ({ live }) => {
    const anyone = createApi({ baseUrl: live.client.baseUrl });
    const { response } = await anyone.GET('/health/ready');
    const { serverVersion, protocolVersion } = await answerOf(live.client.api.GET('/v1/handshake'));
    return plain(`${response.ok ? 'Ready' : 'Not ready'} · Chirality ${serverVersion} · protocol ${protocolVersion}`);
  },
  quit: ({ onEnd }) => {
    onEnd({ kind: 'leave', exitCode: EXIT.done });
    return [];
  },
};

/** Does a command; what it answers is shown. */
export async function doCommand(line: string, args: Args, place: Place): Promise<Line[]> {
  const act = Object.hasOwn(ACTS, line) ? ACTS[line] : undefined;
  if (act === undefined) return [{ text: safe`/${oneLine(line)} is done in the dashboard.`, tone: 'warning' }];
  return act(place, args);
}
