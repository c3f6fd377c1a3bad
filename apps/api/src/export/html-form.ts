import type { ExportForm } from './export-form';
import type { ExportedTurn, Part, SessionHeading } from './session-parts';

const STYLE = `
:root{color-scheme:light dark}
body{margin:0 auto;max-width:52rem;padding:1.5rem;font:16px/1.55 system-ui,sans-serif;overflow-wrap:break-word}
header,section{border-bottom:1px solid #8884;padding-bottom:1rem}
h1{font-size:1.5rem}section>h2{font-size:1.1rem;margin-bottom:0}
.facts,.note{font-size:.85rem;opacity:.75}
blockquote.said{margin:1rem 0;padding:.6rem 1rem;border-inline-start:3px solid #8888;background:#8881}
blockquote.said{white-space:pre-wrap}
pre{overflow-x:auto;padding:.6rem;background:#8881;border-radius:6px;white-space:pre-wrap}
table{border-collapse:collapse}th,td{border:1px solid #8885;padding:.25rem .5rem}
summary{cursor:pointer}
@media print{details{display:block}}
`;

/**
 * One file that needs nothing else: no script, no font, no picture from elsewhere, and its policy says so to the
 * browser. Text of the session is escaped, or set by `markdown`, a processor that lets no HTML and no dangerous link
 * through and answers null where the text is to stay as it is.
 */
export const htmlForm = (markdown: (text: string) => Promise<string | null>): ExportForm => ({
  mediaType: 'text/html; charset=utf-8',
  extension: 'html',
  begin: ({ title, facts }: SessionHeading) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>${escaped(title)}</title>
<style>${STYLE}</style>
</head>
<body>
<header><h1>${escaped(title)}</h1>
<ul class="facts">${facts.map((fact) => `<li>${escaped(fact)}</li>`).join('')}</ul></header>
<main>
`,
  turn: async function* ({ title, facts, parts }: ExportedTurn) {
    yield `<section><h2>${escaped(title)}</h2>\n<p class="facts">${escaped(facts)}</p>\n`;
    for (const part of parts) yield `${await written(part, markdown)}\n`;
    yield '</section>\n';
  },
  end: () => '</main>\n</body>\n</html>\n',
});

async function written(part: Part, markdown: (text: string) => Promise<string | null>): Promise<string> {
  switch (part.type) {
    case 'said':
      return `<blockquote class="said">${escaped(part.text)}</blockquote>`;
    case 'answer': {
      const html = await markdown(part.text);
      return html === null ? `<pre>${escaped(part.text)}</pre>` : `<div>${html}</div>`;
    }
    case 'folded':
      return `<details><summary>${escaped(part.title)}</summary><pre>${escaped(part.text)}</pre></details>`;
    case 'note':
      return `<p class="note">${escaped(part.text)}</p>`;
  }
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
const escaped = (text: string) => text.replace(/[&<>"']/g, (char) => ENTITIES[char] ?? '');
