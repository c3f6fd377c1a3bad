import { patchOfTool, type ToolItem } from '@chirality/domain';
import { CodeBlock } from '../../../components/code/code-block';
import { MarkdownView } from '../../../components/markdown/markdown-view';
import { languageOfPath } from '../../../components/code/language-of-path';
import { DiffView } from '../../../components/diff/diff-view';
import { OutputText, ToolOutput } from './tool-output';
import { WholeOutput } from './whole-output';

type Input = Record<string, unknown>;

function inputOf(tool: ToolItem): Input {
  return typeof tool.input === 'object' && tool.input !== null ? (tool.input as Input) : {};
}

function ToolInput({ tool }: { tool: ToolItem }) {
  const input = inputOf(tool);
  const patch = patchOfTool(tool);
  if (patch !== null)
    return (
      <DiffView patch={patch} showNumbers={tool.patch !== null || tool.name === 'Write'} className="max-h-[32rem]" />
    );
  if (tool.name === 'Bash' && typeof input.command === 'string')
    return <OutputText text={`$ ${input.command}`} language="bash" label="Command" isInput />;
  if ((tool.name === 'Task' || tool.name === 'Agent') && typeof input.prompt === 'string')
    return <MarkdownView text={input.prompt} isGrowing={false} className="px-3 py-2 text-base" />;
  if (tool.name === 'Read') return null;
  if (tool.partialInput !== null) return <OutputText text={tool.partialInput} label="Input so far" isInput />;
  if (tool.input === null || Object.keys(input).length === 0) return null;
  return (
    <div className="p-2">
      <CodeBlock code={JSON.stringify(tool.input, null, 2)} language="json" />
    </div>
  );
}

function ToolResult({ tool }: { tool: ToolItem }) {
  if (tool.status === 'preparing' || tool.status === 'running') {
    return tool.progressText === null ? null : <OutputText text={tool.progressText} label="Output so far" />;
  }
  if (tool.status === 'unfinished')
    return (
      <p className="px-3 py-2 text-sm text-muted">
        The turn ended before this tool answered. It is not run again automatically.
      </p>
    );
  const isError = tool.status === 'failed';
  // A diff says what an edit did; the program's sentence about it adds nothing.
  if (!isError && patchOfTool(tool) !== null) return null;
  if (tool.truncated !== null)
    return <WholeOutput preview={tool.content} truncated={tool.truncated} isError={isError} />;
  const path = inputOf(tool).file_path;
  return (
    <ToolOutput
      content={tool.content}
      isError={isError}
      language={tool.name === 'Read' && typeof path === 'string' ? languageOfPath(path) : null}
    />
  );
}

/** Everything that went into a tool and came out of it. */
export function ToolBody({ tool }: { tool: ToolItem }) {
  return (
    <div className="divide-y divide-line">
      <ToolInput tool={tool} />
      <ToolResult tool={tool} />
    </div>
  );
}
