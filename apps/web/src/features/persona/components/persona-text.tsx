import type { PersonaDetail } from '@chirality/contracts';
import { diffTexts } from '@chirality/domain';
import { Callout } from '../../../components/ui/callout';
import { DiffView } from '../../../components/diff/diff-view';
import { PersonaFacts } from './persona-facts';
import { WideningTable } from './widening-table';

/** A persona whole: what its file sets, what of that counts, and its text. */
export function PersonaText({ persona, failure }: { persona: PersonaDetail; failure: string | null }) {
  const { origin, approval, narrowed, options, text, approvedText } = persona;
  return (
    <div className="stack gap-4">
      {failure !== null && (
        <Callout tone="bad" role="alert">
          {failure}
        </Callout>
      )}
      {origin === 'project' && approval === null && (
        <Callout tone="warn" title="This version of the file is not approved">
          Until then it may only take tools away and shorten turns, and its text is put before the model as untrusted.
          An approval holds for this very text; a change of the file ends it.
        </Callout>
      )}
      {narrowed.length > 0 && <WideningTable narrowed={narrowed} />}
      {narrowed.length === 0 && <PersonaFacts options={options} />}
      {approvedText !== null && approval === null && (
        <section>
          <h3 className="pb-1.5 text-sm font-semibold">What changed since it was approved last</h3>
          <DiffView
            patch={diffTexts(persona.file, approvedText, text)}
            className="max-h-72 rounded-lg border border-line"
          />
        </section>
      )}
      <section>
        <h3 className="pb-1.5 text-sm font-semibold">The whole file</h3>
        <pre
          tabIndex={0}
          className="max-h-80 overflow-auto rounded-lg border border-line bg-sunken p-3 font-mono text-sm whitespace-pre-wrap wrap-anywhere"
        >
          {text}
        </pre>
      </section>
    </div>
  );
}
