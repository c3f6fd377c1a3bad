import { emptyTranscript, foldEvents, type TurnView } from '@chirality/domain';
import { htmlForm } from './html-form';
import { markdownForm } from './markdown-form';
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

describe('the forms of an export', () => {
  it('as Markdown keep what was said in its quotation and what a tool took in its fence', () => {
    expect(markdownForm.turn(turn)).toBe(`
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

  it('as HTML escape what was said, and set answers as Markdown with tables', () => {
    const html = htmlForm.turn(turn);
    expect(html).toContain('<blockquote class="said">First\n\n# not a heading</blockquote>');
    expect(html).toContain('<strong>yes</strong>');
    expect(html).toContain('<td>1</td>');
    expect(html).toContain('<summary>Bash succeeded</summary><pre>before ```` after</pre>');
    expect(html).toContain('allowed by &lt;Ada&gt;');
  });

  it('as HTML open no link that a browser would run', () => {
    const html = htmlForm.turn({
      ...turn,
      parts: [{ type: 'answer', text: '[a](javascript:alert(1)) <script>x</script> [b](data:text/html,x)' }],
    });
    expect(html).not.toMatch(/javascript:|<script|data:text/);
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
