import { parsePersonaFile, PersonaFileError, personaFileOf, type PersonaDefinition } from '@chirality/domain';
import { useMemo, type ReactNode } from 'react';
import { Callout } from '../../../components/ui/callout';
import { TextArea } from '../../../components/form/field';
import { ModelSelect, useIsKnownModel } from '../../model/components/model-select';
import { MarkdownView } from '../../../components/markdown/markdown-view';
import { withField } from '../persona-field';
import { PersonaFacts } from './persona-facts';

export const NEW_PERSONA_TEXT = `---
name: Guide
description: Explains before it changes anything.
tools: Read, Grep, Glob
max_turns: 20
---
Explain what you find, step by step, before you propose a change.
`;

/** What the text says, or what is wrong with it, by the same rules as on the server. */
export function readPersonaText(
  key: string,
  text: string,
): { definition: PersonaDefinition } | { problem: PersonaFileError } {
  try {
    return { definition: parsePersonaFile(text, personaFileOf(key === '' ? 'new' : key)) };
  } catch (error) {
    if (error instanceof PersonaFileError) return { problem: error };
    throw error;
  }
}

type Props = {
  personaKey: string;
  text: string;
  onText: (text: string) => void;
  isReadOnly?: boolean;
  children?: ReactNode;
};

/** The text on one side, what it amounts to on the other. `children` are the buttons below the text. */
export function PersonaEditor({ personaKey, text, onText, isReadOnly = false, children }: Props) {
  const read = useMemo(() => readPersonaText(personaKey, text), [personaKey, text]);
  const isKnown = useIsKnownModel();
  const model = 'definition' in read ? (read.definition.options.model ?? '') : null;
  return (
    <div className="grid gap-6 lg:grid-cols-2">
      <div className="stack min-w-0 gap-3">
        <TextArea
          label="Text"
          value={text}
          onChange={(event) => onText(event.target.value)}
          readOnly={isReadOnly}
          rows={20}
          maxLength={64_000}
          spellCheck={false}
          className="min-h-80 font-mono text-sm"
          error={
            'problem' in read
              ? `Line ${read.problem.line}${read.problem.field === null ? '' : `, ${read.problem.field}`}: ${read.problem.detail}`
              : null
          }
          hint="Fields between two lines of ---: name, description, tools, disallowed_tools, auto_approve_tools, max_turns, model. Below them, the instructions for Claude."
        />
        {!isReadOnly && (
          <ModelSelect
            value={model ?? ''}
            onChange={(next) => onText(withField(text, 'model', next === '' ? null : next))}
            fallback="Default"
            mayName={false}
            disabled={model === null}
          />
        )}
        {children}
      </div>
      <section aria-label="Preview" className="stack min-w-0 content-start gap-3">
        <h2 className="text-sm font-medium">Preview</h2>
        {'problem' in read ? (
          <Callout tone="bad">Fix the marked fields to see a preview.</Callout>
        ) : (
          <div className="stack gap-4 rounded-lg border border-line bg-surface p-4 shadow-card">
            <div>
              <p dir="auto" className="font-semibold">
                {read.definition.name}
              </p>
              <p dir="auto" className="text-sm text-muted">
                {read.definition.description}
              </p>
            </div>
            <PersonaFacts options={read.definition.options} />
            {model !== null && model !== '' && !isKnown(model) && (
              <Callout tone="warn">
                No price is known for the model {model}, so turns of this persona would be denied. Choose one from the
                list.
              </Callout>
            )}
            <div className="max-h-[28rem] overflow-auto border-t border-line pt-3">
              <MarkdownView text={read.definition.prompt} isGrowing={false} />
            </div>
          </div>
        )}
      </section>
    </div>
  );
}
