import { answerOf, ApiError, ChiralityClient, type Session, type SessionEvent } from '@chirality/client';
import * as vscode from 'vscode';

const TOKEN = 'chirality.token';

type Attached = { client: ChiralityClient; session: Session; stop: AbortController };
let attached: Attached | null = null;

export function activate(context: vscode.ExtensionContext): void {
  const output = vscode.window.createOutputChannel('Chirality');
  const act = (command: string, run: () => Promise<void>) =>
    vscode.commands.registerCommand(command, () => run().catch((error: unknown) => refuse(context, error)));
  context.subscriptions.push(
    output,
    act('chirality.attach', () => attach(context, output)),
    act('chirality.send', send),
  );
}

export function deactivate(): void {
  attached?.stop.abort();
}

/** The token is kept by the editor's secret storage, and asked for where there is none. */
async function connect({ secrets }: vscode.ExtensionContext): Promise<ChiralityClient | null> {
  const kept = await secrets.get(TOKEN);
  const token =
    kept ?? (await vscode.window.showInputBox({ prompt: 'Access token', password: true, ignoreFocusOut: true }));
  if (!token) return null;
  const baseUrl = vscode.workspace.getConfiguration('chirality').get<string>('server') ?? 'http://127.0.0.1:3000';
  const client = new ChiralityClient({ baseUrl, token });
  await answerOf(client.api.GET('/v1/me'));
  await secrets.store(TOKEN, token);
  return client;
}

async function attach(context: vscode.ExtensionContext, output: vscode.OutputChannel): Promise<void> {
  const client = await connect(context);
  if (client === null) return;
  const { data } = await answerOf(client.api.GET('/v1/sessions', { params: { query: { limit: 50 } } }));
  const items = data.map((session) => ({ label: session.title ?? 'Untitled', description: session.status, session }));
  const picked = await vscode.window.showQuickPick(items, { placeHolder: 'Session' });
  if (picked === undefined) return;
  attached?.stop.abort();
  const { session } = picked;
  const stop = new AbortController();
  attached = { client, session, stop };
  output.clear();
  output.show(true);
  for await (const event of client.follow(session.id, { signal: stop.signal })) output.append(textOf(event));
}

function textOf(event: SessionEvent): string {
  switch (event.kind) {
    case 'turn:queued':
      return `\n> ${event.payload.message}\n`;
    case 'chat:delta':
      return event.payload.text;
    case 'tool:start':
      return `\n• ${event.payload.name}\n`;
    case 'permission:request':
      return `\n${event.payload.tool} waits for an answer in the dashboard.\n`;
    case 'turn:end':
      return `\n[${event.payload.status}]\n`;
    default:
      return '';
  }
}

async function send(): Promise<void> {
  const editor = vscode.window.activeTextEditor;
  const text = editor?.document.getText(editor.selection) ?? '';
  if (attached === null || text.trim() === '') return;
  await attached.client.send(attached.session.id, text);
}

/** A token that has ended is asked for again. */
async function refuse({ secrets }: vscode.ExtensionContext, error: unknown): Promise<void> {
  if (error instanceof ApiError && error.status === 401) await secrets.delete(TOKEN);
  await vscode.window.showErrorMessage(error instanceof Error ? error.message : String(error));
}
