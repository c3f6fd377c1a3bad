import type { RuleEffect } from '@chirality/contracts';
import { useState, type FormEvent } from 'react';
import { Button } from '../../../components/ui/button';
import { SelectField, TextField } from '../../../components/form/field';
import { FailureText } from '../../../components/text/failure-text';
import { useAddProjectRule } from './rule.api';
import { readRuleInput } from './rule-input';
import { Form } from '../../../components/form/form';

const UNREADABLE = 'Write a tool, such as WebFetch, or a tool and what it does in brackets: Bash(npm test *).';

export function AddRuleForm({ projectId }: { projectId: string }) {
  const [text, setText] = useState('');
  const [effect, setEffect] = useState<RuleEffect>('deny');
  const [isUnreadable, setUnreadable] = useState(false);
  const add = useAddProjectRule(projectId, () => setText(''));
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const rule = readRuleInput(text);
    setUnreadable(rule === null);
    if (rule !== null) add.mutate({ ...rule, effect });
  };
  return (
    <Form hasFailed={isUnreadable || add.isError} onSubmit={submit} className="flex flex-wrap items-start gap-2">
      <div className="w-32 shrink-0">
        <SelectField
          label="What happens"
          isLabelHidden
          value={effect}
          onChange={(event) => setEffect(event.target.value as RuleEffect)}
        >
          <option value="deny">Deny</option>
          <option value="ask">Ask</option>
          <option value="allow">Allow</option>
        </SelectField>
      </div>
      <div className="min-w-52 flex-1 [&_label]:sr-only">
        <TextField
          label="Tool and pattern"
          placeholder="Bash(npm publish *)"
          hint="For files: Read(**/.env) also covers searches and commands that read them; Edit(migrations/**) those that change them."
          value={text}
          maxLength={700}
          autoComplete="off"
          spellCheck={false}
          className="font-mono text-sm"
          onChange={(event) => {
            setText(event.target.value);
            setUnreadable(false);
          }}
          error={isUnreadable ? UNREADABLE : add.isError ? <FailureText error={add.error} /> : null}
        />
      </div>
      <Button type="submit" busy={add.isPending} disabled={text.trim() === ''} className="h-10">
        Add rule
      </Button>
    </Form>
  );
}
