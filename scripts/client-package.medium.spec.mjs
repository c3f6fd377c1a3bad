import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const ROOT = resolve(__dirname, '..');
const CLIENT = join(ROOT, 'libs/client');

/** @type {string} */
let directory;

beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'client-package-'));
});
afterAll(() => rmSync(directory, { recursive: true, force: true }));

/**
 * @param {string} program
 * @param {string[]} words
 * @param {string} cwd
 */
const run = (program, words, cwd) => execFileSync(program, words, { cwd, encoding: 'utf8' });

describe('the package of the client', () => {
  /** @type {{ filename: string, files: { path: string }[] }} */
  let packed;

  beforeAll(() => {
    const words = ['pack', '--json', '--ignore-scripts', '--pack-destination', directory];
    packed = JSON.parse(run('npm', [...words, '--cache', join(directory, 'cache'), '--offline'], CLIENT))[0];
  });

  it('has what was built, its types and its README, and nothing else', () => {
    const paths = packed.files.map(({ path }) => path);
    expect(paths).toEqual(
      expect.arrayContaining([
        'README.md',
        'package.json',
        'dist/index.js',
        'dist/index.d.ts',
        'dist/generated/openapi.d.ts',
      ]),
    );
    expect(paths.filter((path) => !/^(README\.md|package\.json|dist\/[\w/-]+\.(js|d\.ts))$/.test(path))).toEqual([]);
    expect(paths.filter((path) => path.includes('.spec.'))).toEqual([]);
  });

  it('works, with its types, where only it and its dependency are installed', () => {
    const installed = join(directory, 'node_modules/@chirality/client');
    mkdirSync(installed, { recursive: true });
    run('tar', ['-xzf', join(directory, packed.filename), '--strip-components=1', '-C', installed], directory);
    mkdirSync(join(directory, 'node_modules/@types'));
    for (const name of ['openapi-fetch', 'openapi-typescript-helpers', '@types/node'])
      symlinkSync(join(ROOT, 'node_modules', name), join(directory, 'node_modules', name));
    writeFileSync(
      join(directory, 'use.mts'),
      `import { answerOf, ApiError, ChiralityClient, type SessionEvent } from '@chirality/client';
       const client = new ChiralityClient({ baseUrl: 'http://127.0.0.1:9', token: 't' });
       const text = (event: SessionEvent): string => (event.kind === 'chat:delta' ? event.payload.text : '');
       try {
         const { user } = await answerOf(client.api.GET('/v1/me'));
         console.log(user.email, text);
       } catch (error) {
         console.log(error instanceof ApiError ? error.code : error);
       }\n`,
    );
    const options = ['--module', 'nodenext', '--target', 'es2022', '--strict', '--types', 'node', '--skipLibCheck'];
    run(process.execPath, [join(ROOT, 'node_modules/typescript/bin/tsc'), ...options, 'use.mts'], directory);
    expect(run(process.execPath, ['use.mjs'], directory)).toBe('NETWORK\n');
  });

  it('is all that the example for Visual Studio Code needs, besides the editor', () => {
    const example = join(directory, 'vscode');
    cpSync(join(ROOT, 'examples/vscode'), example, { recursive: true });
    mkdirSync(join(directory, 'node_modules/@types/vscode'));
    writeFileSync(join(directory, 'node_modules/@types/vscode/index.d.ts'), EDITOR);
    run(process.execPath, [join(ROOT, 'node_modules/typescript/bin/tsc'), '-p', '.'], example);
  });
});

/** The part of the editor’s interface that the example uses, as its types have it. */
const EDITOR = `declare module 'vscode' {
  export interface Disposable { dispose(): unknown }
  export interface SecretStorage {
    get(key: string): Thenable<string | undefined>;
    store(key: string, value: string): Thenable<void>;
    delete(key: string): Thenable<void>;
  }
  export interface ExtensionContext { readonly subscriptions: { dispose(): unknown }[]; readonly secrets: SecretStorage }
  export interface OutputChannel extends Disposable {
    append(value: string): void;
    clear(): void;
    show(preserveFocus?: boolean): void;
  }
  export interface Selection { readonly isEmpty: boolean }
  export interface TextEditor { readonly document: { getText(range?: Selection): string }; readonly selection: Selection }
  export interface QuickPickItem { label: string; description?: string }
  export namespace window {
    const activeTextEditor: TextEditor | undefined;
    function createOutputChannel(name: string): OutputChannel;
    function showInputBox(options?: { prompt?: string; password?: boolean; ignoreFocusOut?: boolean }): Thenable<string | undefined>;
    function showQuickPick<T extends QuickPickItem>(items: readonly T[], options?: { placeHolder?: string }): Thenable<T | undefined>;
    function showErrorMessage(message: string): Thenable<string | undefined>;
  }
  export namespace workspace {
    function getConfiguration(section?: string): { get<T>(section: string): T | undefined };
  }
  export namespace commands {
    function registerCommand(command: string, callback: (...args: unknown[]) => unknown): Disposable;
  }
}
`;
