import { emptyTranscript, foldEvents, type TurnView } from '@chirality/domain';
import { htmlForm } from './html-form';
import type { ExportForm } from './export-form';
import { markdownForm } from './markdown-form';
import { MarkdownSetter } from './markdown-setter';
import { turnParts, type ExportedTurn } from './session-parts';

const turn: ExportedTurn = {
  title: '1. Ada *Lovelace*',
  facts: '2026-01-01 · completed',
  parts: [
    { type: 'said', text: 'First\n\n# not a heading' },
    { type: 'answer', text: 'Done: **yes**.\n\n| a | b |\n|---|---|\n| 1 | 2 |' },
    { type: 'folded', title: 'Bash succeeded', text: 'before ```` after', language: 'json' },
    { type: 'note', text: 'Permission for Bash: allowed by <Ada>' },
  ],
};

async function written(form: ExportForm, exported: ExportedTurn): Promise<string> {
  let text = '';
  for await (const piece of form.turn(exported)) text += piece;
  return text;
}

describe('the forms of an export', () => {
  const setter = new MarkdownSetter();
  const asHtml = (exported: ExportedTurn) => written(htmlForm(setter.forExport('user')), exported);

  it('as Markdown keep what was said in its quotation and what a tool took in its fence', async () => {
    expect(await written(markdownForm, turn)).toBe(`
## 1. Ada \\*Lovelace\\*

2026-01-01 · completed

> First
>
> # not a heading

Done: **yes**.

| a | b |
|---|---|
| 1 | 2 |

**Bash succeeded**

\`\`\`\`\`json
before \`\`\`\` after
\`\`\`\`\`

*Permission for Bash: allowed by \\<Ada\\>*
`);
  });

  it('as HTML escape what was said, and set answers as Markdown with tables', async () => {
    const html = await asHtml(turn);
    expect(html).toContain('<blockquote class="said">First\n\n# not a heading</blockquote>');
    expect(html).toContain('<strong>yes</strong>');
    expect(html).toContain('<td>1</td>');
    expect(html).toContain('<summary>Bash succeeded</summary><pre>before ```` after</pre>');
    expect(html).toContain('allowed by &lt;Ada&gt;');
  });

  it('as HTML open no link that a browser would run', async () => {
    const html = await asHtml({
      ...turn,
      parts: [{ type: 'answer', text: '[a](javascript:alert(1)) <script>x</script> [b](data:text/html,x)' }],
    });
    expect(html).not.toMatch(/javascript:|<script|data:text/);
  });

  it('as HTML leave an answer as written that would take for ever, and the loop turns meanwhile', async () => {
    const endless = `${'- '.repeat(9_000)}<a>`;
    let turns = 0;
    const turning = setInterval(() => (turns += 1), 10);
    const parts = ['**b**', endless, '**c**'].map((text) => ({ type: 'answer' as const, text }));
    const html = await asHtml({ ...turn, parts });
    clearInterval(turning);
    expect(html).toContain('<strong>b</strong>');
    expect(html).toContain(`<pre>${'- '.repeat(9_000)}&lt;a&gt;</pre>`);
    expect(html).toContain('<strong>c</strong>');
    expect(turns).toBeGreaterThan(20);
  });

  it('as HTML set no more Markdown where five answers took too long', async () => {
    const endless = `${'- '.repeat(9_000)}a`;
    const parts = [...Array.from({ length: 5 }, () => endless), '**c**'].map((text) => ({
      type: 'answer' as const,
      text,
    }));
    expect(await asHtml({ ...turn, parts })).toContain('<pre>**c**</pre>');
  });

  it('hold the schema of an answer and the whole answer by it, and not the tool that handed it over', () => {
    const structured = { files: Array.from({ length: 3_000 }, (_, at) => `src/file-${at}.ts`) };
    const said: [string, Record<string, unknown>][] = [
      ['turn:queued', { turnKind: 'message', message: 'Which?', outputSchema: { type: 'object' }, position: 1 }],
      ['tool:start', { toolUseId: 'a', name: 'StructuredOutput', input: structured, mutating: false }],
      ['tool:result', { toolUseId: 'a', content: 'ok', isError: false, durationMs: 1 }],
      ['session:complete', { text: '', degraded: false, structured, costUsd: '0' }],
      ['turn:end', { status: 'completed', costUsd: '0', timings: null }],
    ];
    const { turns } = foldEvents(
      emptyTranscript(),
      said.map(([kind, payload], at) => ({
        ...{ id: at + 1, kind, payload, turn: 'turn_1', ts: '2026-01-01T00:00:00.000Z' },
        originator: { system: true as const },
      })),
    );
    expect(turnParts(turns[0] as TurnView, 1)?.parts).toEqual([
      { type: 'said', text: 'Which?' },
      {
        type: 'folded',
        title: 'The answer has to follow this schema',
        text: '{\n  "type": "object"\n}',
        language: 'json',
      },
      {
        type: 'folded',
        title: 'The answer by the schema',
        text: JSON.stringify(structured, null, 2),
        language: 'json',
      },
    ]);
  });
});
