import type { OutputSchema } from '@chirality/contracts';
import { Braces, X } from 'lucide-react';
import { useState } from 'react';
import { TextArea } from '../../../components/form/field';
import { Form } from '../../../components/form/form';
import { FormEnd } from '../../../components/form/form-end';
import { Dialog } from '../../../components/overlay/dialog';
import { Button } from '../../../components/ui/button';
import { IconButton } from '../../../components/ui/icon-button';
import { schemaOfText } from '../schema-text';

type Props = { schema: OutputSchema | null; onSchema: (schema: OutputSchema | null) => void };

const EXAMPLE = {
  type: 'object',
  properties: { summary: { type: 'string' }, files: { type: 'array', items: { type: 'string' } } },
  required: ['summary', 'files'],
};

/** Says that the answer to the next message has to be JSON by a schema. */
export function SchemaButton({ schema, onSchema }: Props) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <IconButton
        label={schema === null ? 'Answer as JSON' : 'Change the schema of the answer'}
        aria-pressed={schema !== null}
        onClick={() => setOpen(true)}
        className={schema === null ? undefined : 'text-accent'}
      >
        <Braces size={17} />
      </IconButton>
      <Dialog
        open={isOpen}
        onOpenChange={setOpen}
        title="Answer as JSON"
        description="The answer to your next message has to follow this JSON schema. The turn fails if it does not."
        wide
      >
        <SchemaForm
          schema={schema}
          onDone={() => setOpen(false)}
          onSchema={(next) => {
            onSchema(next);
            setOpen(false);
          }}
        />
      </Dialog>
    </>
  );
}

/** That the next answer has to be JSON, where the files of the message are shown too. */
export function SchemaChip({ onRemove }: { onRemove: () => void }) {
  return (
    <p className="flex px-4 py-1.5">
      <span className="flex items-center gap-1.5 rounded-md border border-line bg-sunken ps-2 text-sm">
        <Braces size={14} aria-hidden="true" className="text-accent" />
        Answer as JSON
        <IconButton label="Remove the schema" onClick={onRemove}>
          <X size={14} />
        </IconButton>
      </span>
    </p>
  );
}

function SchemaForm({ schema, onSchema, onDone }: Props & { onDone: () => void }) {
  const [text, setText] = useState(schema === null ? '' : JSON.stringify(schema, null, 2));
  const [fault, setFault] = useState<string | null>(null);
  return (
    <Form
      className="stack gap-3"
      hasFailed={fault !== null}
      onSubmit={(event) => {
        event.preventDefault();
        const read = schemaOfText(text);
        if ('fault' in read) setFault(read.fault);
        else onSchema(read.schema);
      }}
    >
      <TextArea
        label="JSON schema"
        hint="JSON Schema draft 7, with “type”: “object” at the top."
        error={fault}
        value={text}
        onChange={({ target }) => {
          setText(target.value);
          setFault(null);
        }}
        rows={10}
        spellCheck={false}
        autoCapitalize="off"
        autoCorrect="off"
        dir="ltr"
        className="font-mono text-sm"
      />
      <div className="flex flex-wrap gap-2">
        <Button size="small" onClick={() => setText(JSON.stringify(EXAMPLE, null, 2))}>
          Insert an example
        </Button>
        {schema !== null && (
          <Button size="small" variant="quiet" onClick={() => onSchema(null)}>
            Remove the schema
          </Button>
        )}
      </div>
      <FormEnd submit="Use for this message" outcome={{ error: null, isPending: false }} onCancel={onDone} />
    </Form>
  );
}
